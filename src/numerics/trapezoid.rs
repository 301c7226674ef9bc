//! The trapezoidal rule on the whole line, for expectations under smooth densities.
//!
//! For an analytic integrand that vanishes at both ends its error falls exponentially
//! with the inverse of the step: Trefethen & Weideman (2014), SIAM Review 56, theorem 5.1.

/// A point and its share of the whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// Where the integrand is taken.
    pub at: f64,
    /// Its weight; the weights of a rule add up to 1.
    pub weight: f64,
}

/// A rule for expectations under a density with one mode, at 0, known up to a factor.
///
/// Nodes lie `step` apart, on both sides down to a density of exp(−`depth`) of that at
/// the mode. The same sum normalises the density, so that no constant is needed.
pub fn rule(log_density: impl Fn(f64) -> f64, step: f64, depth: f64) -> Vec<Node> {
    let top = log_density(0.0);
    let side = |step: f64| {
        (1..u32::MAX)
            .map(move |i| f64::from(i) * step)
            .map(|at| (at, log_density(at) - top))
            .take_while(|(_, log_density)| *log_density > -depth)
            .map(|(at, log_density)| Node { at, weight: log_density.exp() })
            .collect::<Vec<_>>()
    };
    let mut nodes = vec![Node { at: 0.0, weight: 1.0 }];
    nodes.extend(side(step));
    nodes.extend(side(-step));
    let whole: f64 = nodes.iter().map(|node| node.weight).sum();
    for node in &mut nodes {
        node.weight /= whole;
    }
    nodes
}

/// The mean of `f` under a rule.
pub fn mean(nodes: &[Node], f: impl Fn(f64) -> f64) -> f64 {
    nodes.iter().map(|node| node.weight * f(node.at)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variance_and_fourth_moment_of_a_normal_are_one_and_three() {
        let nodes = rule(|x| -0.5 * x * x, 0.5, 45.0);
        assert!((mean(&nodes, |x| x * x) - 1.0).abs() < 1e-14);
        assert!((mean(&nodes, |x| x.powi(4)) - 3.0).abs() < 1e-13);
    }
}
