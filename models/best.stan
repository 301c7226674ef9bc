// Kruschke's BEST as published (2013): the model `best` of patchodds.
// Data statistics (grand_mean, sd_all) come with the data.
data {
  int<lower=1> N_baseline;
  int<lower=1> N_candidate;
  vector[N_baseline] y_baseline;
  vector[N_candidate] y_candidate;
  real grand_mean;
  real<lower=0> sd_all;
}
parameters {
  vector[2] mean_run;            // baseline, candidate
  vector<lower=sd_all / 1000, upper=1000 * sd_all>[2] scale_run;
  real<lower=1> nu;
}
model {
  mean_run ~ normal(grand_mean, 1000 * sd_all);
  // scale_run is uniform between its bounds
  nu - 1 ~ exponential(1 / 29.0);
  y_baseline ~ student_t(nu, mean_run[1], scale_run[1]);
  y_candidate ~ student_t(nu, mean_run[2], scale_run[2]);
}
generated quantities {
  real difference = mean_run[2] - mean_run[1];
}
