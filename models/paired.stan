// Runs in blocks, one of each variant (paired): the model `paired` of patchodds.
// Data statistics (grand_mean, sd_all, resolution, rms_d, sample_sd_d, sample_sd_s) come with the data.
data {
  int<lower=2> N;  // blocks
  vector[N] y_baseline;
  vector[N] y_candidate;
  real grand_mean;
  real<lower=0> sd_all;
  real<lower=0> resolution;
  real<lower=0> rms_d;
  real<lower=0> sample_sd_d;
  real<lower=0> sample_sd_s;
}
transformed data {
  vector[N] d = y_candidate - y_baseline;
  vector[N] s = (y_baseline + y_candidate) / 2;
}
parameters {
  real difference;
  real level;
  real<lower=0> sd_d;
  real<lower=0> sd_s;
}
transformed parameters {
  real rounded_d = sqrt(square(sd_d) + square(resolution) / 6);
  real rounded_s = sqrt(square(sd_s) + square(resolution) / 24);
}
model {
  difference ~ normal(0, 10 * rms_d);
  level ~ normal(grand_mean, 10 * sd_all);
  sd_d ~ lognormal(log(sample_sd_d), 4);
  sd_s ~ lognormal(log(sample_sd_s), 4);
  d ~ normal(difference, rounded_d);
  s ~ normal(level, rounded_s);
}
generated quantities {
  vector[2] mean_run = [level - difference / 2, level + difference / 2]';
}
