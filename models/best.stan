// Kruschke's BEST (Student-t, wide uniform priors on the scales): the model `best` of patchodds.
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
  vector[2] mean_run;
  vector<lower=sd_all / 1000.0, upper=1000 * sd_all>[2] scale_run;
  real<lower=1> nu;
}
transformed parameters {
  vector[2] rounded = sqrt(square(scale_run));
}
model {
  mean_run ~ normal(grand_mean, 1000 * sd_all);
  // scale_run is uniform between its bounds
  nu ~ exponential(1 / 29.0);
  y_baseline ~ student_t(nu, mean_run[1], rounded[1]);
  y_candidate ~ student_t(nu, mean_run[2], rounded[2]);
}
generated quantities {
  real difference = mean_run[2] - mean_run[1];
}
