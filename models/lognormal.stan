// Lognormal runs (skewed, above 0), noise levels tied together: the model `lognormal` of patchodds.
// Data statistics (grand_mean, sd_all, sd_within, resolution) are of the logarithms.
data {
  int<lower=1> N_baseline;
  int<lower=1> N_candidate;
  vector<lower=0>[N_baseline] y_baseline;
  vector<lower=0>[N_candidate] y_candidate;
  real grand_mean;
  real<lower=0> sd_all;
  real<lower=0> sd_within;
  real<lower=0> resolution;
}
parameters {
  vector[2] mean_log;
  real<lower=0> noise;
  vector<lower=0>[2] sd_log;
}
transformed parameters {
  vector[2] rounded = sqrt(square(sd_log) + square(resolution) / 12);
}
model {
  mean_log ~ normal(grand_mean, 10 * sd_all);
  noise ~ lognormal(log(sd_within), 2);
  sd_log ~ lognormal(log(noise), 0.7);
  y_baseline ~ lognormal(mean_log[1], rounded[1]);
  y_candidate ~ lognormal(mean_log[2], rounded[2]);
}
generated quantities {
  vector[2] mean_run = exp(mean_log + square(rounded) / 2);
  real difference = mean_run[2] - mean_run[1];
  real ratio_of_medians = exp(mean_log[2] - mean_log[1]);
}
