// Normal runs under the reference prior (Behrens-Fisher): the model `reference` of patchodds.
data {
  int<lower=1> N_baseline;
  int<lower=1> N_candidate;
  vector[N_baseline] y_baseline;
  vector[N_candidate] y_candidate;
}
parameters {
  vector[2] mean_run;
  vector<lower=0>[2] sd_run;
}
transformed parameters {
  vector[2] rounded = sqrt(square(sd_run));
}
model {
  // mean_run has a flat prior
  target += -sum(log(sd_run));
  y_baseline ~ normal(mean_run[1], rounded[1]);
  y_candidate ~ normal(mean_run[2], rounded[2]);
}
generated quantities {
  real difference = mean_run[2] - mean_run[1];
}
