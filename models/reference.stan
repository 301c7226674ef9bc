// Normal runs under the reference prior (Behrens-Fisher): the model `reference` of patchodds.
// Proper only for two runs that differ on each side.
data {
  int<lower=2> N_baseline;
  int<lower=2> N_candidate;
  vector[N_baseline] y_baseline;
  vector[N_candidate] y_candidate;
}
parameters {
  vector[2] mean_run;          // baseline, candidate; flat
  vector<lower=0>[2] sd_run;
}
model {
  target += -sum(log(sd_run)); // flat on log(sd), that is 1/sd
  y_baseline ~ normal(mean_run[1], sd_run[1]);
  y_candidate ~ normal(mean_run[2], sd_run[2]);
}
generated quantities {
  real difference = mean_run[2] - mean_run[1];
}
