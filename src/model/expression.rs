//! Arithmetic in a prior: parsed, bound to the data, evaluated with its gradient.

use super::distribution::Distribution;

/// A part of the text of a prior that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The first wrong character, counted from 0 in characters.
    pub start: usize,
    /// How many characters are wrong.
    pub len: usize,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub hint: Option<String>,
}

/// A prior as written: a distribution and the expressions of its arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// The distribution.
    pub distribution: Distribution,
    /// Its arguments, as many as it takes, with the place of each in the text.
    pub arguments: Vec<(Expression, Place)>,
    /// Where it is cut below: the number in `T[number, ]`.
    pub lower: Option<f64>,
}

/// Where something stands in the text of a prior, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    start: usize,
    len: usize,
}

impl Place {
    /// A fault with this part of the text.
    pub fn fault(self, what: impl Into<String>) -> Fault {
        Fault { start: self.start, len: self.len.max(1), what: what.into(), hint: None }
    }
}

/// An operation on one or two numbers; Stan's names for the functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// a + b
    Add,
    /// a − b
    Subtract,
    /// a · b
    Multiply,
    /// a / b
    Divide,
    /// aᵇ
    Power,
    /// −a
    Negate,
    /// log(a)
    Log,
    /// exp(a)
    Exp,
    /// sqrt(a)
    Sqrt,
    /// square(a)
    Square,
    /// abs(a)
    Abs,
    /// fmin(a, b)
    Min,
    /// fmax(a, b)
    Max,
}

/// Functions by name, with how many arguments each takes.
const FUNCTIONS: [(&str, Operation, usize); 7] = [
    ("log", Operation::Log, 1),
    ("exp", Operation::Exp, 1),
    ("sqrt", Operation::Sqrt, 1),
    ("square", Operation::Square, 1),
    ("abs", Operation::Abs, 1),
    ("fmin", Operation::Min, 2),
    ("fmax", Operation::Max, 2),
];

impl Operation {
    /// The value.
    fn value(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Power => a.powf(b),
            Self::Negate => -a,
            Self::Log => a.ln(),
            Self::Exp => a.exp(),
            Self::Sqrt => a.sqrt(),
            Self::Square => a * a,
            Self::Abs => a.abs(),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
        }
    }

    /// Its derivatives by both operands.
    fn slopes(self, a: f64, b: f64) -> [f64; 2] {
        match self {
            Self::Add => [1.0, 1.0],
            Self::Subtract => [1.0, -1.0],
            Self::Multiply => [b, a],
            Self::Divide => [1.0 / b, -a / (b * b)],
            Self::Power => [b * a.powf(b - 1.0), a.powf(b) * a.ln()],
            Self::Negate => [-1.0, 0.0],
            Self::Log => [1.0 / a, 0.0],
            Self::Exp => [a.exp(), 0.0],
            Self::Sqrt => [0.5 / a.sqrt(), 0.0],
            Self::Square => [2.0 * a, 0.0],
            Self::Abs => [a.signum(), 0.0],
            Self::Min if a <= b => [1.0, 0.0],
            Self::Max if a >= b => [1.0, 0.0],
            Self::Min | Self::Max => [0.0, 1.0],
        }
    }
}

/// An expression as written.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A number.
    Number(f64),
    /// A parameter or a data statistic.
    Name(String, Place),
    /// An operation on one or two expressions.
    Apply(Operation, Vec<Expression>),
}

impl Expression {
    /// Every name in it, with its place.
    pub fn names(&self) -> Vec<(&str, Place)> {
        match self {
            Self::Number(_) => Vec::new(),
            Self::Name(name, place) => vec![(name, *place)],
            Self::Apply(_, operands) => operands.iter().flat_map(Self::names).collect(),
        }
    }

    /// Puts the data statistics in as numbers and the parameters as places in a vector.
    ///
    /// `meaning` must know every name that [`Expression::names`] gives.
    pub fn bind(&self, meaning: &dyn Fn(&str) -> Meaning) -> Bound {
        match self {
            Self::Number(value) => Bound::Constant(*value),
            Self::Name(name, _) => match meaning(name) {
                Meaning::Constant(value) => Bound::Constant(value),
                Meaning::Parameter(index) => Bound::Parameter(index),
            },
            Self::Apply(operation, operands) => {
                let operands: Vec<Bound> =
                    operands.iter().map(|operand| operand.bind(meaning)).collect();
                let bound = Bound::Apply(*operation, operands.into_boxed_slice());
                if bound.is_constant() {
                    Bound::Constant(bound.value(&[]))
                } else {
                    bound
                }
            }
        }
    }
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Meaning {
    /// A statistic of the data.
    Constant(f64),
    /// A parameter, by its index.
    Parameter(usize),
}

/// An expression of the parameters alone, its constant parts folded.
#[derive(Debug, Clone, PartialEq)]
pub enum Bound {
    /// A number.
    Constant(f64),
    /// A parameter, by its index.
    Parameter(usize),
    /// An operation.
    Apply(Operation, Box<[Bound]>),
}

impl Bound {
    /// Whether no parameter is in it.
    pub fn is_constant(&self) -> bool {
        match self {
            Self::Constant(_) => true,
            Self::Parameter(_) => false,
            Self::Apply(_, operands) => operands.iter().all(Self::is_constant),
        }
    }

    /// Whether this parameter is in it.
    pub fn names(&self, parameter: usize) -> bool {
        match self {
            Self::Constant(_) => false,
            Self::Parameter(index) => *index == parameter,
            Self::Apply(_, operands) => operands.iter().any(|one| one.names(parameter)),
        }
    }

    /// Its value at these parameters.
    pub fn value(&self, parameters: &[f64]) -> f64 {
        match self {
            Self::Constant(value) => *value,
            Self::Parameter(index) => parameters[*index],
            Self::Apply(operation, operands) => {
                let (a, b) = Self::operands(operands, parameters);
                operation.value(a, b)
            }
        }
    }

    /// Adds `weight` times its gradient by the parameters to `gradient`.
    pub fn add_gradient(&self, parameters: &[f64], weight: f64, gradient: &mut [f64]) {
        match self {
            Self::Constant(_) => {}
            Self::Parameter(index) => gradient[*index] += weight,
            Self::Apply(operation, operands) => {
                let (a, b) = Self::operands(operands, parameters);
                for (operand, slope) in operands.iter().zip(operation.slopes(a, b)) {
                    operand.add_gradient(parameters, weight * slope, gradient);
                }
            }
        }
    }

    fn operands(operands: &[Self], parameters: &[f64]) -> (f64, f64) {
        let at = |i: usize| operands.get(i).map_or(0.0, |one| one.value(parameters));
        (at(0), at(1))
    }
}

/// Parses `distribution(argument, …)`.
///
/// # Errors
/// With the place of the first thing that is wrong.
pub fn parse(text: &str) -> Result<Statement, Fault> {
    let mut parser =
        Parser { tokens: tokens(text)?, next: 0, end: text.chars().count() };
    let statement = parser.statement()?;
    match parser.tokens.get(parser.next) {
        None => Ok(statement),
        Some((_, place)) => Err(place.fault("nothing may follow the closing bracket")),
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Number(f64),
    Name(String),
    Sign(char),
}

fn tokens(text: &str) -> Result<Vec<(Token, Place)>, Fault> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        let len = match c {
            _ if c.is_whitespace() => {
                at += 1;
                continue;
            }
            '0'..='9' | '.' => number_length(&chars[at..]),
            'a'..='z' | 'A'..='Z' | '_' => chars[at..]
                .iter()
                .take_while(|c| c.is_ascii_alphanumeric() || **c == '_')
                .count(),
            _ => 1,
        };
        let place = Place { start: at, len };
        let word: String = chars[at..at + len].iter().collect();
        tokens.push((token(c, word, place)?, place));
        at += len;
    }
    Ok(tokens)
}

fn token(first: char, word: String, place: Place) -> Result<Token, Fault> {
    match first {
        '0'..='9' | '.' => match word.parse() {
            Ok(number) => Ok(Token::Number(number)),
            Err(_) => Err(place.fault(format!("`{word}` is not a number"))),
        },
        'a'..='z' | 'A'..='Z' | '_' => Ok(Token::Name(word)),
        '+' | '-' | '*' | '/' | '^' | '(' | ')' | ',' | '[' | ']' => {
            Ok(Token::Sign(first))
        }
        _ => Err(place.fault(format!("`{word}` does not belong in a prior"))),
    }
}

/// Digits, a point, and an exponent with its sign.
fn number_length(chars: &[char]) -> usize {
    let mut len = 0;
    while let Some(c) = chars.get(len) {
        let after_e = len > 0 && matches!(chars[len - 1], 'e' | 'E');
        let belongs = c.is_ascii_digit()
            || matches!(c, '.' | 'e' | 'E')
            || (after_e && matches!(c, '+' | '-'));
        if !belongs {
            break;
        }
        len += 1;
    }
    len
}

struct Parser {
    tokens: Vec<(Token, Place)>,
    next: usize,
    end: usize,
}

/// How deep brackets and signs may nest; far beyond any prior, far below the stack.
const DEEPEST: usize = 64;

impl Parser {
    fn here(&self) -> Place {
        let past_the_end = Place { start: self.end, len: 1 };
        self.tokens.get(self.next).map_or(past_the_end, |(_, place)| *place)
    }

    fn take_sign(&mut self, signs: &[char]) -> Option<char> {
        let Some((Token::Sign(sign), _)) = self.tokens.get(self.next) else {
            return None;
        };
        let sign = signs.contains(sign).then_some(*sign)?;
        self.next += 1;
        Some(sign)
    }

    fn expect_sign(&mut self, sign: char) -> Result<(), Fault> {
        match self.take_sign(&[sign]) {
            Some(_) => Ok(()),
            None => Err(self.here().fault(format!("a `{sign}` is missing here"))),
        }
    }

    fn statement(&mut self) -> Result<Statement, Fault> {
        let place = self.here();
        let Some((Token::Name(name), _)) = self.tokens.get(self.next).cloned() else {
            let mut fault =
                place.fault("a prior begins with the name of a distribution");
            fault.hint = Some("such as `normal(grand_mean, 10 * sd_all)`".to_owned());
            return Err(fault);
        };
        let Some(distribution) =
            Distribution::ALL.into_iter().find(|known| known.name() == name)
        else {
            return Err(unknown("distribution", &name, place, distribution_names()));
        };
        self.next += 1;
        self.expect_sign('(')?;
        let arguments = self.arguments()?;
        let wanted = distribution.arguments().len();
        if arguments.len() != wanted {
            let mut fault = place.fault(format!(
                "`{name}` takes {wanted} arguments, not {}",
                arguments.len()
            ));
            fault.hint = Some(format!("write `{}`", distribution.signature()));
            return Err(fault);
        }
        Ok(Statement { distribution, arguments, lower: self.truncation()? })
    }

    /// `T[number, ]`, Stan's way to cut a distribution below.
    fn truncation(&mut self) -> Result<Option<f64>, Fault> {
        let place = self.here();
        match self.tokens.get(self.next) {
            Some((Token::Name(name), _)) if name == "T" => self.next += 1,
            _ => return Ok(None),
        }
        self.expect_sign('[')?;
        let negative = self.take_sign(&['-']).is_some();
        let Some((Token::Number(bound), _)) = self.tokens.get(self.next).cloned()
        else {
            return Err(self.here().fault("the bound of `T[…, ]` is a number"));
        };
        self.next += 1;
        self.expect_sign(',')?;
        match self.take_sign(&[']']) {
            Some(_) => Ok(Some(if negative { -bound } else { bound })),
            None => Err(place.fault("a prior is cut below only: `T[number, ]`")),
        }
    }

    /// What stands between brackets, the closing one included.
    fn arguments(&mut self) -> Result<Vec<(Expression, Place)>, Fault> {
        let mut arguments = Vec::new();
        if self.take_sign(&[')']).is_some() {
            return Ok(arguments);
        }
        loop {
            let start = self.here().start;
            let expression = self.sum(0)?;
            let last = self.tokens[self.next - 1].1;
            let place = Place { start, len: last.start + last.len - start };
            arguments.push((expression, place));
            if self.take_sign(&[',']).is_none() {
                self.expect_sign(')')?;
                return Ok(arguments);
            }
        }
    }

    fn sum(&mut self, depth: usize) -> Result<Expression, Fault> {
        let mut left = self.product(depth)?;
        while let Some(sign) = self.take_sign(&['+', '-']) {
            let operation =
                if sign == '+' { Operation::Add } else { Operation::Subtract };
            left = Expression::Apply(operation, vec![left, self.product(depth)?]);
        }
        Ok(left)
    }

    fn product(&mut self, depth: usize) -> Result<Expression, Fault> {
        let mut left = self.signed(depth)?;
        while let Some(sign) = self.take_sign(&['*', '/']) {
            let operation =
                if sign == '*' { Operation::Multiply } else { Operation::Divide };
            left = Expression::Apply(operation, vec![left, self.signed(depth)?]);
        }
        Ok(left)
    }

    fn signed(&mut self, depth: usize) -> Result<Expression, Fault> {
        if depth > DEEPEST {
            return Err(self.here().fault("this is nested too deeply"));
        }
        match self.take_sign(&['-', '+']) {
            Some('-') => {
                let operand = self.signed(depth + 1)?;
                Ok(Expression::Apply(Operation::Negate, vec![operand]))
            }
            Some(_) => self.signed(depth + 1),
            None => self.power(depth),
        }
    }

    /// Binds tighter than a sign before it, and to the right: −2^2 is −4.
    fn power(&mut self, depth: usize) -> Result<Expression, Fault> {
        let base = self.atom(depth)?;
        if self.take_sign(&['^']).is_none() {
            return Ok(base);
        }
        Ok(Expression::Apply(Operation::Power, vec![base, self.signed(depth + 1)?]))
    }

    fn atom(&mut self, depth: usize) -> Result<Expression, Fault> {
        let place = self.here();
        let missing = || place.fault("a number, a name or a bracket is missing here");
        let (token, _) = self.tokens.get(self.next).cloned().ok_or_else(missing)?;
        match token {
            Token::Number(number) => {
                self.next += 1;
                Ok(Expression::Number(number))
            }
            Token::Name(name) => {
                self.next += 1;
                match self.take_sign(&['(']) {
                    Some(_) => self.call(&name, place, depth),
                    None => Ok(Expression::Name(name, place)),
                }
            }
            Token::Sign('(') => {
                self.next += 1;
                let inner = self.sum(depth + 1)?;
                self.expect_sign(')')?;
                Ok(inner)
            }
            Token::Sign(_) => Err(missing()),
        }
    }

    fn call(
        &mut self,
        name: &str,
        place: Place,
        depth: usize,
    ) -> Result<Expression, Fault> {
        let Some((_, operation, wanted)) =
            FUNCTIONS.into_iter().find(|(known, ..)| *known == name)
        else {
            let known = FUNCTIONS.iter().map(|(known, ..)| *known).collect();
            return Err(unknown("function", name, place, known));
        };
        let mut operands = vec![self.sum(depth + 1)?];
        while self.take_sign(&[',']).is_some() {
            operands.push(self.sum(depth + 1)?);
        }
        self.expect_sign(')')?;
        if operands.len() == wanted {
            return Ok(Expression::Apply(operation, operands));
        }
        let what = format!("`{name}` takes {wanted} arguments, not {}", operands.len());
        Err(place.fault(what))
    }
}

fn distribution_names() -> Vec<&'static str> {
    Distribution::ALL.iter().map(|known| known.name()).collect()
}

/// A fault for a name that does not exist, with those that do.
pub fn unknown(kind: &str, name: &str, place: Place, known: Vec<&str>) -> Fault {
    let error = crate::error::unknown_name(kind, name, known);
    Fault { hint: error.hint().map(str::to_owned), ..place.fault(error.what()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_argument(text: &str) -> Expression {
        parse(&format!("exponential({text})")).unwrap().arguments.remove(0).0
    }

    fn value(text: &str) -> f64 {
        first_argument(text)
            .bind(&|name| match name {
                "two" => Meaning::Constant(2.0),
                _ => Meaning::Parameter(0),
            })
            .value(&[3.0])
    }

    #[test]
    fn arithmetic_binds_as_in_stan() {
        assert_eq!(value("1 + 2 * 3 ^ 2"), 19.0);
        assert_eq!(value("-2 ^ 2"), -4.0);
        assert_eq!(value("2 ^ 3 ^ 2"), 512.0);
        assert_eq!(value("10 - 4 - 3"), 3.0);
        assert_eq!(value("2.5e-1 * two * x"), 1.5);
        assert_eq!(value("fmax(x, two) - fmin(x, two)"), 1.0);
        assert_eq!(value("log(exp(abs(-4)))"), 4.0);
    }

    #[test]
    fn gradients_agree_with_finite_differences() {
        let text = "log(a) * b ^ 2 / sqrt(a) + exp(-b) - square(a * b) + a ^ b";
        let bound = first_argument(text)
            .bind(&|name| Meaning::Parameter(usize::from(name == "b")));
        let at = [1.3, 0.7];
        let mut gradient = [0.0; 2];
        bound.add_gradient(&at, 2.0, &mut gradient);
        for i in 0..2 {
            let moved = |h: f64| {
                let mut moved = at;
                moved[i] += h;
                bound.value(&moved)
            };
            let numeric = 2.0 * (moved(1e-6) - moved(-1e-6)) / 2e-6;
            assert!((gradient[i] - numeric).abs() < 1e-7);
        }
    }

    #[test]
    fn faults_say_where_and_what() {
        let fault = |text: &str| {
            let fault = parse(text).unwrap_err();
            (fault.start, fault.len, fault.what)
        };
        assert_eq!(
            fault("nromal(0, 1)"),
            (0, 6, "there is no distribution `nromal`".into())
        );
        assert_eq!(
            fault("normal(0)"),
            (0, 6, "`normal` takes 2 arguments, not 1".into())
        );
        assert_eq!(fault("normal(0, 1"), (11, 1, "a `)` is missing here".into()));
        assert_eq!(
            fault("normal(0, ln(2))"),
            (10, 2, "there is no function `ln`".into())
        );
        assert_eq!(
            fault("normal(0, 1) x"),
            (13, 1, "nothing may follow the closing bracket".into())
        );
        assert_eq!(
            fault("normal(0, 2 $ 3)"),
            (12, 1, "`$` does not belong in a prior".into())
        );
        assert_eq!(
            fault("normal(0, *)").2,
            "a number, a name or a bracket is missing here"
        );
        assert_eq!(fault("").2, "a prior begins with the name of a distribution");
        let deep = format!("normal(0, {}1{})", "(".repeat(200), ")".repeat(200));
        assert_eq!(fault(&deep).2, "this is nested too deeply");
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text in "[a-z0-9_+*/^(), .e$-]{0,60}") {
            let _ = parse(&text);
        }
    }
}
