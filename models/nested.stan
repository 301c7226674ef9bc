// Runs within invocations, both noise levels tied together: the model `nested` of patchodds.
// Data statistics (grand_mean, sd_all, sd_within, resolution, sd_between) come with the data.
data {
  int<lower=1> J;                          // invocations of both variants
  array[J] int<lower=1, upper=2> variant;  // 1 baseline, 2 candidate
  array[J] int<lower=1> n;                 // runs of each invocation
  vector[J] y_mean;                        // mean of each invocation
  vector<lower=0>[J] y_squares;            // sum of squares within it
  real grand_mean;
  real<lower=0> sd_all;
  real<lower=0> sd_within;
  real<lower=0> resolution;
  real<lower=0> sd_between;
}
parameters {
  vector[2] mean_run;
  real<lower=0> noise;
  vector<lower=0>[2] sd_run;
  real<lower=0> spread;
  vector<lower=0>[2] between;
}
transformed parameters {
  vector[2] rounded = sqrt(square(sd_run) + square(resolution) / 12);
}
model {
  mean_run ~ normal(grand_mean, 10 * sd_all);
  noise ~ lognormal(log(sd_within), 2);
  sd_run ~ lognormal(log(noise), 0.7);
  spread ~ student_t(3, 0, 2.5 * sd_between);
  between ~ lognormal(log(spread), 0.7);
  for (j in 1:J) {
    int v = variant[j];
    real run = square(rounded[v]);
    y_mean[j] ~ normal(mean_run[v], sqrt(square(between[v]) + run / n[j]));
    target += -0.5 * (n[j] - 1) * log(run) - 0.5 * y_squares[j] / run;
  }
}
generated quantities {
  real difference = mean_run[2] - mean_run[1];
}
