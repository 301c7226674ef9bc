//! The distributions a prior may use: Stan's names, argument order and densities.

use rand::Rng;
use rand_distr::Distribution as _;
use statrs::function::gamma::{digamma, ln_gamma};

/// A distribution, by Stan's name for it; `flat` and `flat_log` are improper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    /// normal(mu, sigma)
    Normal,
    /// `student_t(nu, mu, sigma)`
    StudentT,
    /// cauchy(mu, sigma)
    Cauchy,
    /// `double_exponential(mu, sigma)`
    DoubleExponential,
    /// logistic(mu, sigma)
    Logistic,
    /// lognormal(mu, sigma)
    Lognormal,
    /// gamma(alpha, beta), beta the rate
    Gamma,
    /// `inv_gamma(alpha, beta)`
    InvGamma,
    /// exponential(beta), beta the rate
    Exponential,
    /// weibull(alpha, sigma)
    Weibull,
    /// uniform(alpha, beta)
    Uniform,
    /// `flat()`: density 1 everywhere
    Flat,
    /// `flat_log()`: density 1/x above 0, flat on the logarithm
    FlatLog,
}

/// What an argument must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// Any finite number.
    Real,
    /// A finite number above 0.
    Positive,
}

/// Where a density lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// All real numbers.
    Real,
    /// Above 0.
    Positive,
    /// Between the two arguments.
    Between,
}

/// A logarithm with its derivatives by the variable and by each argument.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Slope {
    /// The logarithm.
    pub log: f64,
    /// Its derivative by x.
    pub by_x: f64,
    /// Its derivative by each argument, in order.
    pub by_args: [f64; 3],
}

const HALF_LOG_TWO_PI: f64 = 0.918_938_533_204_672_8;

impl Distribution {
    /// All of them, in the order in which they are listed to the user.
    pub const ALL: [Self; 13] = [
        Self::Normal,
        Self::StudentT,
        Self::Cauchy,
        Self::DoubleExponential,
        Self::Logistic,
        Self::Lognormal,
        Self::Gamma,
        Self::InvGamma,
        Self::Exponential,
        Self::Weibull,
        Self::Uniform,
        Self::Flat,
        Self::FlatLog,
    ];

    /// Stan's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::StudentT => "student_t",
            Self::Cauchy => "cauchy",
            Self::DoubleExponential => "double_exponential",
            Self::Logistic => "logistic",
            Self::Lognormal => "lognormal",
            Self::Gamma => "gamma",
            Self::InvGamma => "inv_gamma",
            Self::Exponential => "exponential",
            Self::Weibull => "weibull",
            Self::Uniform => "uniform",
            Self::Flat => "flat",
            Self::FlatLog => "flat_log",
        }
    }

    /// What each argument must be, in order.
    pub fn arguments(self) -> &'static [Argument] {
        use Argument::{Positive, Real};
        match self {
            Self::Normal
            | Self::Cauchy
            | Self::DoubleExponential
            | Self::Logistic
            | Self::Lognormal => &[Real, Positive],
            Self::StudentT => &[Positive, Real, Positive],
            Self::Gamma | Self::InvGamma | Self::Weibull => &[Positive, Positive],
            Self::Exponential => &[Positive],
            Self::Uniform => &[Real, Real],
            Self::Flat | Self::FlatLog => &[],
        }
    }

    /// How its arguments are called, as the user would write it.
    pub fn signature(self) -> &'static str {
        match self {
            Self::Normal => "normal(mu, sigma)",
            Self::StudentT => "student_t(nu, mu, sigma)",
            Self::Cauchy => "cauchy(mu, sigma)",
            Self::DoubleExponential => "double_exponential(mu, sigma)",
            Self::Logistic => "logistic(mu, sigma)",
            Self::Lognormal => "lognormal(mu, sigma)",
            Self::Gamma => "gamma(shape, rate)",
            Self::InvGamma => "inv_gamma(shape, scale)",
            Self::Exponential => "exponential(rate)",
            Self::Weibull => "weibull(shape, scale)",
            Self::Uniform => "uniform(low, high)",
            Self::Flat => "flat()",
            Self::FlatLog => "flat_log()",
        }
    }

    /// Where its density is above 0.
    pub fn support(self) -> Support {
        match self {
            Self::Normal
            | Self::StudentT
            | Self::Cauchy
            | Self::DoubleExponential
            | Self::Logistic
            | Self::Flat => Support::Real,
            Self::Lognormal
            | Self::Gamma
            | Self::InvGamma
            | Self::Exponential
            | Self::Weibull
            | Self::FlatLog => Support::Positive,
            Self::Uniform => Support::Between,
        }
    }

    /// Which argument moves the density along the axis, where one does.
    pub fn location_argument(self) -> Option<usize> {
        match self {
            Self::Normal | Self::Cauchy | Self::DoubleExponential | Self::Logistic => {
                Some(0)
            }
            Self::StudentT => Some(1),
            Self::Lognormal
            | Self::Gamma
            | Self::InvGamma
            | Self::Exponential
            | Self::Weibull
            | Self::Uniform
            | Self::Flat
            | Self::FlatLog => None,
        }
    }

    /// Which argument its normalising term does not depend on, where there is one.
    pub fn argument_without_norm(self) -> Option<usize> {
        match self {
            Self::Lognormal => Some(0),
            _ => self.location_argument(),
        }
    }

    /// Whether its density has a finite integral.
    pub fn is_proper(self) -> bool {
        !matches!(self, Self::Flat | Self::FlatLog)
    }

    /// The log density up to a term that depends on the arguments alone (which
    /// [`Distribution::log_normaliser`] gives). Formulas: Stan functions reference 2.37,
    /// "Continuous distributions".
    pub fn kernel(self, x: f64, args: [f64; 3]) -> Slope {
        let [a, b, c] = args;
        match self {
            Self::Normal => normal_kernel(x, a, b),
            Self::StudentT => student_t_kernel(x, a, b, c),
            Self::Cauchy => {
                let t = student_t_kernel(x, 1.0, a, b);
                Slope { by_args: [t.by_args[1], t.by_args[2], 0.0], ..t }
            }
            Self::DoubleExponential => {
                let z = (x - a) / b;
                let by_x = -z.signum() / b;
                Slope { log: -z.abs(), by_x, by_args: [-by_x, z.abs() / b, 0.0] }
            }
            Self::Logistic => {
                let z = (x - a) / b;
                let by_z = -(z / 2.0).tanh();
                let log = -z.abs() - 2.0 * (-z.abs()).exp().ln_1p();
                Slope { log, by_x: by_z / b, by_args: [-by_z / b, -by_z * z / b, 0.0] }
            }
            Self::Lognormal => {
                let log_x = x.ln();
                let on_log = normal_kernel(log_x, a, b);
                Slope {
                    log: on_log.log - log_x,
                    by_x: (on_log.by_x - 1.0) / x,
                    ..on_log
                }
            }
            Self::Gamma => Slope {
                log: (a - 1.0) * x.ln() - b * x,
                by_x: (a - 1.0) / x - b,
                by_args: [x.ln(), -x, 0.0],
            },
            Self::InvGamma => Slope {
                log: -(a + 1.0) * x.ln() - b / x,
                by_x: -(a + 1.0) / x + b / (x * x),
                by_args: [-x.ln(), -1.0 / x, 0.0],
            },
            Self::Exponential => {
                Slope { log: -a * x, by_x: -a, by_args: [-x, 0.0, 0.0] }
            }
            Self::Weibull => {
                let ratio = x / b;
                let power = ratio.powf(a);
                Slope {
                    log: (a - 1.0) * x.ln() - power,
                    by_x: (a - 1.0 - a * power) / x,
                    by_args: [x.ln() - power * ratio.ln(), a * power / b, 0.0],
                }
            }
            Self::Uniform if x < a || x > b => {
                Slope { log: f64::NEG_INFINITY, ..Slope::default() }
            }
            Self::Uniform | Self::Flat => Slope::default(),
            Self::FlatLog => Slope { log: -x.ln(), by_x: -1.0 / x, by_args: [0.0; 3] },
        }
    }

    /// What makes the kernel a density: a term of the arguments alone.
    pub fn log_normaliser(self, args: [f64; 3]) -> Slope {
        let [a, b, c] = args;
        let of = |log: f64, by_args: [f64; 3]| Slope { log, by_x: 0.0, by_args };
        match self {
            Self::Normal | Self::Lognormal => {
                of(-b.ln() - HALF_LOG_TWO_PI, [0.0, -1.0 / b, 0.0])
            }
            Self::StudentT => {
                let half = f64::midpoint(a, 1.0);
                let log = ln_gamma(half)
                    - ln_gamma(a / 2.0)
                    - 0.5 * (a * std::f64::consts::PI).ln()
                    - c.ln();
                let by_nu = 0.5 * (digamma(half) - digamma(a / 2.0) - 1.0 / a);
                of(log, [by_nu, 0.0, -1.0 / c])
            }
            Self::Cauchy => {
                of(-std::f64::consts::PI.ln() - b.ln(), [0.0, -1.0 / b, 0.0])
            }
            Self::DoubleExponential => of(-(2.0 * b).ln(), [0.0, -1.0 / b, 0.0]),
            Self::Logistic => of(-b.ln(), [0.0, -1.0 / b, 0.0]),
            Self::Gamma | Self::InvGamma => {
                of(a * b.ln() - ln_gamma(a), [b.ln() - digamma(a), a / b, 0.0])
            }
            Self::Exponential => of(a.ln(), [1.0 / a, 0.0, 0.0]),
            Self::Weibull => of(a.ln() - a * b.ln(), [1.0 / a - b.ln(), -a / b, 0.0]),
            Self::Uniform => {
                let width = b - a;
                of(-width.ln(), [1.0 / width, -1.0 / width, 0.0])
            }
            Self::Flat | Self::FlatLog => Slope::default(),
        }
    }

    /// A typical value and its spread, to start a chain from: the median (or a value
    /// near it), and the spread on the log scale for a positive variable.
    pub fn typical(self, args: [f64; 3]) -> (f64, f64) {
        let [a, b, c] = args;
        match self {
            Self::Normal | Self::Cauchy | Self::DoubleExponential | Self::Logistic => {
                (a, b)
            }
            Self::StudentT => (b, c),
            Self::Lognormal => (a.exp(), b),
            Self::Gamma => (a / b, 1.0 / a.sqrt()),
            Self::InvGamma => (b / (a + 1.0), 1.0 / a.sqrt()),
            Self::Exponential => (std::f64::consts::LN_2 / a, 1.0),
            Self::Weibull => (b, 1.0 / a),
            Self::Uniform => (f64::midpoint(a, b), (b - a) / 12_f64.sqrt()),
            Self::Flat => (0.0, 1.0),
            Self::FlatLog => (1.0, 1.0),
        }
    }

    /// A random value; `None` for an improper distribution or arguments out of range.
    pub fn sample(self, args: [f64; 3], rng: &mut impl Rng) -> Option<f64> {
        use rand_distr as r;
        let [a, b, c] = args;
        Some(match self {
            Self::Normal => r::Normal::new(a, b).ok()?.sample(rng),
            Self::StudentT => b + c * r::StudentT::new(a).ok()?.sample(rng),
            Self::Cauchy => r::Cauchy::new(a, b).ok()?.sample(rng),
            Self::DoubleExponential => {
                let size: f64 = r::Exp1.sample(rng);
                let sign: bool = r::Bernoulli::new(0.5).ok()?.sample(rng);
                a + if sign { size } else { -size } * b
            }
            Self::Logistic => {
                let p: f64 = r::Open01.sample(rng);
                a + b * (p / (1.0 - p)).ln()
            }
            Self::Lognormal => r::LogNormal::new(a, b).ok()?.sample(rng),
            Self::Gamma => r::Gamma::new(a, 1.0 / b).ok()?.sample(rng),
            Self::InvGamma => 1.0 / r::Gamma::new(a, 1.0 / b).ok()?.sample(rng),
            Self::Exponential => r::Exp::new(a).ok()?.sample(rng),
            Self::Weibull => r::Weibull::new(b, a).ok()?.sample(rng),
            Self::Uniform => r::Uniform::new(a, b).ok()?.sample(rng),
            Self::Flat | Self::FlatLog => return None,
        })
    }
}

fn normal_kernel(x: f64, mu: f64, sigma: f64) -> Slope {
    // One division: this is most of the work of sampling.
    let precise = 1.0 / sigma;
    let z = (x - mu) * precise;
    let by_mu = z * precise;
    Slope { log: -0.5 * z * z, by_x: -by_mu, by_args: [by_mu, z * by_mu, 0.0] }
}

fn student_t_kernel(x: f64, nu: f64, mu: f64, sigma: f64) -> Slope {
    let z = (x - mu) / sigma;
    let log_part = (z * z / nu).ln_1p();
    let by_z = -(nu + 1.0) * z / (nu + z * z);
    let by_nu = -0.5 * log_part + 0.5 * (nu + 1.0) * z * z / (nu * (nu + z * z));
    Slope {
        log: -f64::midpoint(nu, 1.0) * log_part,
        by_x: by_z / sigma,
        by_args: [by_nu, -by_z / sigma, -by_z * z / sigma],
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::ChaCha8Rng;

    use super::*;

    fn log_density(d: Distribution, x: f64, args: [f64; 3]) -> f64 {
        d.kernel(x, args).log + d.log_normaliser(args).log
    }

    /// Central differences, error of order h².
    fn difference(f: impl Fn(f64) -> f64, at: f64) -> f64 {
        let h = 1e-5 * at.abs().max(1.0);
        (f(at + h) - f(at - h)) / (2.0 * h)
    }

    #[test]
    fn derivatives_agree_with_finite_differences() {
        for d in Distribution::ALL {
            for args in [[1.5, 2.5, 0.7], [0.4, 3.0, 2.0]] {
                for x in [0.5, 1.7, 2.4] {
                    let (kernel, norm) = (d.kernel(x, args), d.log_normaliser(args));
                    if !kernel.log.is_finite() {
                        continue;
                    }
                    let by_x = difference(|x| log_density(d, x, args), x);
                    assert!((kernel.by_x - by_x).abs() < 1e-7, "{d:?} by x at {x}");
                    for i in 0..d.arguments().len() {
                        let numeric = difference(
                            |arg| {
                                let mut moved = args;
                                moved[i] = arg;
                                log_density(d, x, moved)
                            },
                            args[i],
                        );
                        let exact = kernel.by_args[i] + norm.by_args[i];
                        assert!((exact - numeric).abs() < 1e-7, "{d:?} by {i} at {x}");
                    }
                }
            }
        }
    }

    #[test]
    fn log_densities_are_those_of_scipy() {
        // scipy.stats 1.17.1: norm(1.5, 2.5).logpdf(1.7), t(1.5, 2.5, 0.7),
        // cauchy(1.5, 2.5), laplace(1.5, 2.5), logistic(1.5, 2.5), lognorm(2.5,
        // scale=exp(1.5)), gamma(1.5, scale=1/2.5), invgamma(1.5, scale=2.5),
        // expon(scale=1/1.5), weibull_min(1.5, scale=2.5), uniform(1.5, 1); all at 1.7.
        let expected = [
            (Distribution::Normal, -1.838_429_265_078_827_9),
            (Distribution::StudentT, -1.502_898_479_502_952_3),
            (Distribution::Cauchy, -2.067_400_224_687_594),
            (Distribution::DoubleExponential, -1.689_437_912_434_100_6),
            (Distribution::Logistic, -2.304_184_666_509_335),
            (Distribution::Lognormal, -2.441_032_043_152_101_3),
            (Distribution::Gamma, -2.489_467_539_022_437),
            (Distribution::InvGamma, -1.301_940_527_503_065_5),
            (Distribution::Exponential, -2.144_534_891_891_835_7),
            (Distribution::Weibull, -1.264_399_229_255_985),
            (Distribution::Uniform, 0.0),
        ];
        for (d, value) in expected {
            let ours = log_density(d, 1.7, [1.5, 2.5, 0.7]);
            assert!((ours - value).abs() < 1e-12, "{d:?}: {ours} against {value}");
        }
    }

    #[test]
    fn random_values_have_the_density_they_are_drawn_from() {
        // The probability integral transform of 20,000 values, by the distribution's
        // mean of log density: E[log p(X)] estimated twice, by draws and by quadrature.
        for d in Distribution::ALL.into_iter().filter(|d| d.is_proper()) {
            let args = [2.5, 3.0, 0.7];
            let mut rng = ChaCha8Rng::seed_from_u64(7);
            let n = 20_000;
            let values: Vec<f64> = (0..n)
                .map(|_| log_density(d, d.sample(args, &mut rng).unwrap(), args))
                .collect();
            let mean = values.iter().sum::<f64>() / f64::from(n);
            let spread =
                values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / f64::from(n);
            let exact = mean_log_density(d, args);
            let mcse = (spread / f64::from(n)).sqrt().max(1e-9);
            assert!((mean - exact).abs() < 4.0 * mcse, "{d:?}: {mean} against {exact}");
        }
    }

    /// ∫ p log p by the trapezoidal rule after x = sinh-like stretching of the support.
    fn mean_log_density(d: Distribution, args: [f64; 3]) -> f64 {
        let steps = 400_000;
        let (mut sum, mut mass) = (0.0, 0.0);
        for i in 0..steps {
            let u = (f64::from(i) + 0.5) / f64::from(steps) * 40.0 - 20.0;
            let (x, jacobian) = match d.support() {
                Support::Real => (u.sinh(), u.cosh()),
                Support::Positive => (u.exp(), u.exp()),
                Support::Between => {
                    let p = 1.0 / (1.0 + (-u).exp());
                    let width = args[1] - args[0];
                    (args[0] + width * p, width * p * (1.0 - p))
                }
            };
            let log = log_density(d, x, args);
            if log.is_finite() {
                let weight = log.exp() * jacobian * 40.0 / f64::from(steps);
                sum += weight * log;
                mass += weight;
            }
        }
        assert!((mass - 1.0).abs() < 1e-6, "{d:?} integrates to {mass}");
        sum
    }
}
