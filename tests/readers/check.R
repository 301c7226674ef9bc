# Asks R's posterior whether it finds in the CSV of draws what was reported.
#
#     Rscript tests/readers/check.R target/debug/patchodds

suppressPackageStartupMessages(library(posterior))

program <- commandArgs(trailingOnly = TRUE)[1]
runs <- "examples/netbsd/rfc2544.csv"
folder <- tempfile("draws")
dir.create(folder)
file <- file.path(folder, "fit.csv")

# The names of the JSON output, and the column of each.
quantities <- c(
  baseline_mean = "mean[without]",
  candidate_mean = "mean[with]",
  baseline_sd = "sd[without]",
  candidate_sd = "sd[with]",
  difference = "difference",
  relative_change = "relative_change",
  ratio = "ratio",
  effect_size = "effect_size",
  sd_ratio = "sd_ratio",
  noise = "noise"
)
statistics <- c("mean", "sd", "median", "rhat", "ess_bulk", "ess_tail", "mcse_mean")

# Relative: all of these are sums of some thousand numbers in another order.
tolerance <- 1e-6

said <- system2(
  program, c("compare", runs, "--format", "json", "--save-draws", file),
  stdout = TRUE
)
report <- jsonlite::fromJSON(said)$comparisons$posterior

draws <- as_draws_df(read.csv(file, check.names = FALSE))
stopifnot(nchains(draws) == 4, niterations(draws) == 1000, ndraws(draws) == 4000)
found <- as.data.frame(summarise_draws(
  draws, mean, sd, median, rhat, ess_bulk, ess_tail, mcse_mean
))
rownames(found) <- found$variable

compared <- 0
for (quantity in names(quantities)) {
  for (statistic in statistics) {
    expected <- report[[quantity]][[statistic]]
    if (is.null(expected) || is.na(expected)) next # a moment that does not exist
    value <- found[quantities[[quantity]], statistic]
    compared <- compared + 1
    if (!(abs(value - expected) <= tolerance * abs(expected))) {
      stop(sprintf(
        "%s of %s: %.10g, not %.10g", statistic, quantity, value, expected
      ))
    }
  }
}
stopifnot(compared > 40)
unlink(folder, recursive = TRUE)
cat(sprintf("csv by R: read, and %d numbers equal to %g\n", compared, tolerance))
