// Normal runs, each variant's noise on its own: the model `independent` of patchodds.
// Data statistics (grand_mean, sd_all, sd_within, resolution) come with the data.
data {
  int<lower=1> N_baseline;
  int<lower=1> N_candidate;
  vector[N_baseline] y_baseline;
  vector[N_candidate] y_candidate;
  real grand_mean;
  real<lower=0> sd_all;
  real<lower=0> sd_within;
  real<lower=0> resolution;
}
parameters {
  vector[2] mean_run;
  vector<lower=0>[2] sd_run;
}
transformed parameters {
  vector[2] rounded = sqrt(square(sd_run) + square(resolution) / 12);
}
model {
  mean_run ~ normal(grand_mean, 10 * sd_all);
  sd_run ~ student_t(3, 0, 2.5 * sd_within);
  y_baseline ~ normal(mean_run[1], rounded[1]);
  y_candidate ~ normal(mean_run[2], rounded[2]);
}
generated quantities {
  real difference = mean_run[2] - mean_run[1];
}
