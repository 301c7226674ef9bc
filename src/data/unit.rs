//! What is known of units: their kind, direction, scale and the best one for display.

use super::Direction;

/// What a unit measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// How long: `ms`, `ns/op`.
    Time,
    /// How much in a time: `Mbit/s`, `tps`.
    Rate,
    /// How large: `KiB`, `B/op`.
    Size,
    /// How many: `instructions`, `allocs/op`.
    Count,
}

/// A unit whose meaning is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    kind: Kind,
    /// Size in the base unit of its kind, as a fraction of whole numbers, so that a
    /// conversion by powers of ten is one exact multiplication or division.
    numerator: u128,
    denominator: u128,
    /// What the amount is of or per: `bit`, `request`, `/op`.
    of: String,
}

/// A change of unit: one multiplication, one division, or both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Conversion {
    multiply: f64,
    divide: f64,
}

impl Conversion {
    /// The value in the new unit.
    pub fn apply(self, value: f64) -> f64 {
        value * self.multiply / self.divide
    }

    /// Whether nothing changes.
    pub fn is_identity(self) -> bool {
        self.multiply.total_cmp(&self.divide).is_eq()
    }
}

/// Seconds, as numerator and denominator.
const TIMES: [(&str, u128, u128); 8] = [
    ("ps", 1, 1_000_000_000_000),
    ("ns", 1, 1_000_000_000),
    ("us", 1, 1_000_000),
    ("ms", 1, 1_000),
    ("s", 1, 1),
    ("min", 60, 1),
    ("h", 3_600, 1),
    ("d", 86_400, 1),
];

/// Other spellings of the units of time.
const TIME_WORDS: [(&str, &str); 20] = [
    ("psec", "ps"),
    ("picosecond", "ps"),
    ("nsec", "ns"),
    ("nano", "ns"),
    ("nanosec", "ns"),
    ("nanosecond", "ns"),
    ("usec", "us"),
    ("micro", "us"),
    ("microsec", "us"),
    ("microsecond", "us"),
    ("msec", "ms"),
    ("milli", "ms"),
    ("millisec", "ms"),
    ("millisecond", "ms"),
    ("sec", "s"),
    ("second", "s"),
    ("minute", "min"),
    ("hr", "h"),
    ("hour", "h"),
    ("day", "d"),
];

/// Rates in one word, with what they are of.
const RATE_WORDS: [(&str, &str); 12] = [
    ("hz", "cycle"),
    ("bps", "bit"),
    ("tps", "transaction"),
    ("qps", "query"),
    ("rps", "request"),
    ("pps", "packet"),
    ("fps", "frame"),
    ("iops", "io"),
    ("ops", "op"),
    ("opsps", "op"),
    ("flops", "flop"),
    ("eps", "event"),
];

/// What rates are of: a prefix (`k`, `M`) is taken off these only.
const STEMS: [(&str, &[&str]); 14] = [
    ("op", &["op", "ops", "operation", "operations"]),
    ("request", &["req", "reqs", "request", "requests"]),
    ("transaction", &["trans", "txn", "txns", "transaction", "transactions", "tx"]),
    ("query", &["query", "queries"]),
    ("packet", &["pkt", "pkts", "packet", "packets", "p"]),
    ("frame", &["frame", "frames"]),
    ("io", &["io", "ios"]),
    ("flop", &["flop", "flops"]),
    ("event", &["event", "events"]),
    ("item", &["item", "items"]),
    ("element", &["elem", "elems", "element", "elements"]),
    ("message", &["msg", "msgs", "message", "messages"]),
    ("row", &["row", "rows"]),
    ("iteration", &["iter", "iters", "iteration", "iterations"]),
];

/// Words for something counted.
const COUNTS: [&str; 33] = [
    "alloc",
    "allocation",
    "allocs",
    "allocations",
    "branches",
    "branch-misses",
    "cache-misses",
    "cache-references",
    "calls",
    "context-switches",
    "count",
    "counts",
    "cycle",
    "cycles",
    "errors",
    "events",
    "faults",
    "frees",
    "instruction",
    "instructions",
    "instr",
    "insn",
    "items",
    "iterations",
    "lines",
    "migrations",
    "misses",
    "objects",
    "packets",
    "page-faults",
    "retransmits",
    "samples",
    "syscalls",
];

impl Unit {
    /// The unit that `text` names; `None` when it is not known.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().replace(['µ', 'μ'], "u");
        if text.is_empty() {
            return None;
        }
        if let Some((numerator, denominator)) = time(&text) {
            return Some(Self::new(Kind::Time, numerator, denominator, ""));
        }
        match split_per(&text) {
            Some((amount, per)) => Self::parse_per(amount, per),
            None => rate_word(&text).or_else(|| size(&text)).or_else(|| count(&text)),
        }
    }

    fn new(kind: Kind, numerator: u128, denominator: u128, of: &str) -> Self {
        Self { kind, numerator, denominator, of: of.to_owned() }
    }

    /// `amount/per`: a rate when `per` is a time, else as the amount.
    fn parse_per(amount: &str, per: &str) -> Option<Self> {
        // A unit is one word on each side: `throughput MB/s` holds a name too.
        let word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
        if !word(amount) || !word(per) {
            return None;
        }
        if let Some((seconds, parts)) = time(per) {
            let (scale, of) = match data(amount) {
                Some((scale, _)) => (scale, "bit".to_owned()),
                None => stem(amount),
            };
            return Some(Self::new(Kind::Rate, scale * parts, seconds, &of));
        }
        let mut unit = match time(amount) {
            Some((numerator, denominator)) => {
                Self::new(Kind::Time, numerator, denominator, "")
            }
            None => size(amount).or_else(|| count(amount))?,
        };
        unit.of = format!("{}/{}", unit.of, stem(per).1);
        Some(unit)
    }

    /// What it measures.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Which way is better, where the kind says so: a count may be of anything.
    pub fn direction(&self) -> Option<Direction> {
        match self.kind {
            Kind::Rate => Some(Direction::HigherIsBetter),
            Kind::Time | Kind::Size => Some(Direction::LowerIsBetter),
            Kind::Count => None,
        }
    }

    /// From this unit to another; `None` when they measure different things.
    pub fn to(&self, other: &Self) -> Option<Conversion> {
        if self.kind != other.kind || self.of != other.of {
            return None;
        }
        let multiply = self.numerator * other.denominator;
        let divide = self.denominator * other.numerator;
        let common = greatest_common_divisor(multiply, divide);
        Some(Conversion {
            multiply: (multiply / common) as f64,
            divide: (divide / common) as f64,
        })
    }
}

/// From one unit to another, as they are spelt; `None` when that cannot be.
///
/// The same spelling converts to itself, known or not.
pub fn conversion(from: &str, to: &str) -> Option<Conversion> {
    if from == to {
        return Some(Conversion { multiply: 1.0, divide: 1.0 });
    }
    Unit::parse(from)?.to(&Unit::parse(to)?)
}

/// Which way is better, where the unit says so.
pub fn direction(unit: &str) -> Option<Direction> {
    Unit::parse(unit)?.direction()
}

/// Which way is better, where the name of a metric leaves no doubt.
pub fn direction_of_metric(name: &str) -> Option<Direction> {
    let name = name.to_lowercase();
    let last = name.rsplit(['_', ' ', '-', '.']).next().unwrap_or_default();
    match last {
        "time" | "duration" | "elapsed" | "latency" | "runtime" | "walltime" => {
            Some(Direction::LowerIsBetter)
        }
        "throughput" | "bandwidth" | "iops" | "tps" | "qps" | "rps" | "pps" | "fps" => {
            Some(Direction::HigherIsBetter)
        }
        // An error rate is no rate of work.
        "rate" if name == "rate" => Some(Direction::HigherIsBetter),
        _ => None,
    }
}

/// Whether more of it is "slower" or "faster" rather than "worse" or "better": not for
/// sizes and counts. A unit that is not known is taken for a speed.
pub fn is_speed(unit: Option<&str>) -> bool {
    !matches!(
        unit.and_then(Unit::parse).map(|unit| unit.kind),
        Some(Kind::Size | Kind::Count)
    )
}

/// Whether values are counts: of something counted, or without a unit.
pub fn is_count(unit: Option<&str>) -> bool {
    unit.is_none_or(|unit| {
        Unit::parse(unit).is_some_and(|unit| unit.kind == Kind::Count)
    })
}

/// A factor and the unit in which a value of this magnitude reads best.
///
/// Times go to ns, µs, ms or s; data and its rates to decimal or binary multiples as
/// they were. All else stays as it is.
pub fn human(value: f64, unit: &str) -> (f64, String) {
    let same = (1.0, unit.to_owned());
    let Some(parsed) = Unit::parse(unit) else { return same };
    let size = value.abs();
    if !size.is_finite() || size <= 0.0 || (1.0..1000.0).contains(&size) {
        return same;
    }
    let best = ladder(unit, &parsed)
        .into_iter()
        .filter_map(|name| Some((conversion(unit, &name)?, name)))
        // From small to large: the largest unit in which the value is at least 1.
        .enumerate()
        .take_while(|(i, (conversion, _))| *i == 0 || conversion.apply(size) >= 1.0)
        .last();
    match best {
        Some((_, (conversion, name))) if !conversion.is_identity() => {
            (conversion.apply(1.0), name)
        }
        _ => same,
    }
}

/// The units to choose from, from small to large, spelt in the manner of `unit`.
fn ladder(unit: &str, parsed: &Unit) -> Vec<String> {
    let steps: &[&str] = match parsed.kind {
        Kind::Time => &["ns", "µs", "ms", "s"],
        Kind::Size | Kind::Rate if unit.contains("iB") => {
            &["B", "KiB", "MiB", "GiB", "TiB"]
        }
        Kind::Size | Kind::Rate if !parsed.of.starts_with("bit") => return Vec::new(),
        Kind::Size | Kind::Rate if unit.contains(['B', 'y']) => {
            &["B", "kB", "MB", "GB", "TB"]
        }
        Kind::Size | Kind::Rate => &["bit", "Kbit", "Mbit", "Gbit", "Tbit"],
        Kind::Count => return Vec::new(),
    };
    let tail = match parsed.kind {
        Kind::Rate => "/s",
        Kind::Time | Kind::Size | Kind::Count => {
            unit.find('/').map_or("", |at| &unit[at..])
        }
    };
    steps.iter().map(|step| format!("{step}{tail}")).collect()
}

fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { greatest_common_divisor(b, a % b) }
}

/// A unit of time in seconds. Single words in any case, short forms as they are.
fn time(text: &str) -> Option<(u128, u128)> {
    let find = |name: &str| {
        TIMES.iter().find(|(short, ..)| *short == name).map(|(_, n, d)| (*n, *d))
    };
    find(text)
        .or_else(|| {
            let word = text.to_lowercase();
            let word = match word.strip_suffix('s') {
                Some(singular) if singular.len() >= 2 => singular,
                _ => &word,
            };
            let (_, short) = TIME_WORDS.iter().find(|(long, _)| *long == word)?;
            find(short)
        })
        .or_else(|| (text == "mins").then_some((60, 1)))
}

/// The amount and what it is per.
fn split_per(text: &str) -> Option<(&str, &str)> {
    ["/", " per ", "_per_"]
        .iter()
        .find_map(|separator| text.split_once(separator))
        .map(|(amount, per)| (amount.trim(), per.trim()))
}

/// The decimal or binary multiple at the front, and the rest.
fn prefixed(text: &str) -> (u128, &str) {
    let mut letters = text.char_indices();
    let power = match letters.next().map(|(_, letter)| letter) {
        Some('k' | 'K') => 1,
        Some('M') => 2,
        Some('G') => 3,
        Some('T') => 4,
        Some('P') => 5,
        _ => return (1, text),
    };
    match text[1..].strip_prefix('i') {
        Some(rest) => (1024_u128.pow(power), rest),
        None => (1000_u128.pow(power), &text[1..]),
    }
}

/// An amount of data in bits, and whether it was given in bytes.
fn data(text: &str) -> Option<(u128, bool)> {
    let (scale, rest) = match text.strip_prefix("10^6") {
        Some(rest) => (1_000_000, rest),
        None => match text.strip_prefix("10^3") {
            Some(rest) => (1_000, rest),
            None => prefixed(text),
        },
    };
    match rest {
        "B" | "Byte" | "Bytes" | "byte" | "bytes" => Some((scale * 8, true)),
        "b" | "Bit" | "Bits" | "bit" | "bits" => Some((scale, false)),
        _ => None,
    }
}

/// A size; one lower-case `b` alone says too little.
fn size(text: &str) -> Option<Unit> {
    match text.to_lowercase().as_str() {
        "b" if text == "b" => None,
        "byte" | "bytes" => Some(Unit::new(Kind::Size, 8, 1, "bit")),
        _ => data(text).map(|(bits, _)| Unit::new(Kind::Size, bits, 1, "bit")),
    }
}

fn count(text: &str) -> Option<Unit> {
    let word = text.to_lowercase();
    // Events of perf carry modifiers: `cycles:u`.
    let name = word.split(':').next().unwrap_or_default();
    COUNTS.contains(&name).then(|| Unit::new(Kind::Count, 1, 1, &word))
}

/// `tps`, `Mbps`, `kHz`: the whole word, or with a multiple in front.
fn rate_word(text: &str) -> Option<Unit> {
    let find = |word: &str| {
        RATE_WORDS.iter().find(|(name, _)| *name == word).map(|(_, of)| *of)
    };
    if let Some(of) = find(&text.to_lowercase()) {
        return Some(Unit::new(Kind::Rate, 1, 1, of));
    }
    let (scale, rest) = prefixed(text);
    if rest == "Bps" {
        return Some(Unit::new(Kind::Rate, scale * 8, 1, "bit"));
    }
    // `mbps` and `gbps` are common; a millibit is not.
    let (scale, rest) = match (scale, text.to_lowercase().as_str()) {
        (1, "mbps") => (1_000_000, "bps"),
        (1, "gbps") => (1_000_000_000, "bps"),
        _ => (scale, rest),
    };
    let of = find(&rest.to_lowercase()).filter(|_| scale > 1)?;
    Some(Unit::new(Kind::Rate, scale, 1, of))
}

/// What a rate is of, with the multiple in front of a word that is known.
fn stem(text: &str) -> (u128, String) {
    let find = |word: &str| {
        STEMS
            .iter()
            .find(|(_, spellings)| spellings.contains(&word.to_lowercase().as_str()))
            .map(|(name, _)| (*name).to_owned())
    };
    if let Some(name) = find(text) {
        return (1, name);
    }
    let (scale, rest) = prefixed(text);
    match find(rest) {
        Some(name) => (scale, name),
        None => (1, text.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_better_when_higher_and_times_and_sizes_when_lower() {
        for unit in "bit/s bits/s Kbit/s Mbit/s Gbit/s Mbps mbps ops/s ops/sec tps qps \
            rps pps MB/s KiB/s Hz MHz req/s requests/second ops/ms Mpps iops rows/min \
            10^6bits/s Trans/s"
            .split_whitespace()
        {
            assert_eq!(direction(unit), Some(Direction::HigherIsBetter), "{unit}");
        }
        assert_eq!(direction("items per second"), Some(Direction::HigherIsBetter));
        for unit in "ns us µs μs ms s sec secs seconds min h ns/op ms/iter B KB KiB MB \
            GiB bytes B/op"
            .split_whitespace()
        {
            assert_eq!(direction(unit), Some(Direction::LowerIsBetter), "{unit}");
        }
        for unit in ["instructions", "allocs/op", "cycles:u", "furlongs", "", "%", "b"]
        {
            assert_eq!(direction(unit), None, "{unit}");
        }
    }

    #[test]
    fn a_conversion_by_powers_of_ten_rounds_once() {
        let convert =
            |from, to, value| conversion(from, to).map(|known| known.apply(value));
        assert_eq!(convert("ms", "s", 12.3), Some(0.0123));
        assert_eq!(convert("s", "ns", 1.5), Some(1.5e9));
        assert_eq!(convert("ns", "s", 123.0), Some(1.23e-7));
        assert_eq!(convert("min", "ms", 2.0), Some(120_000.0));
        assert_eq!(convert("MB/s", "Mbit/s", 10.0), Some(80.0));
        assert_eq!(convert("KiB", "B", 2.0), Some(2048.0));
        assert_eq!(convert("ns/op", "us/op", 1500.0), Some(1.5));
        assert_eq!(convert("ops/ms", "ops/s", 3.0), Some(3000.0));
        assert_eq!(convert("kpps", "packets/s", 3.0), Some(3000.0));
        assert_eq!(convert("furlongs", "furlongs", 3.0), Some(3.0));
        for (from, to) in
            [("ms", "MB"), ("ns/op", "ns"), ("ops/s", "req/s"), ("x", "s")]
        {
            assert_eq!(convert(from, to, 1.0), None, "{from} {to}");
        }
    }

    #[test]
    fn a_value_is_shown_in_the_unit_that_needs_few_digits() {
        let shown = |value: f64, unit| {
            let (factor, unit) = human(value, unit);
            format!("{:.3} {unit}", value * factor)
        };
        assert_eq!(shown(0.0945, "s"), "94.500 ms");
        assert_eq!(shown(2.5e-7, "s"), "250.000 ns");
        assert_eq!(shown(1500.0, "ms"), "1.500 s");
        assert_eq!(shown(-15000.0, "ns/op"), "-15.000 µs/op");
        assert_eq!(shown(1.5e-12, "s"), "0.002 ns");
        assert_eq!(shown(4096.0, "KiB"), "4.000 MiB");
        assert_eq!(shown(2e9, "bit/s"), "2.000 Gbit/s");
        assert_eq!(shown(2e9, "B/s"), "2.000 GB/s");
        // As they are: in range, zero, or of no ladder.
        assert_eq!(shown(152.7, "Mbit/s"), "152.700 Mbit/s");
        assert_eq!(shown(12.0, "us"), "12.000 us");
        assert_eq!(shown(0.0, "s"), "0.000 s");
        assert_eq!(shown(123_456.0, "furlongs"), "123456.000 furlongs");
        assert_eq!(shown(123_456.0, "ops/s"), "123456.000 ops/s");
    }

    #[test]
    fn sizes_and_counts_are_no_speeds() {
        assert!(is_speed(None) && is_speed(Some("ms")) && is_speed(Some("MB/s")));
        assert!(!is_speed(Some("KiB")) && !is_speed(Some("allocs/op")));
        assert!(is_count(None) && is_count(Some("cycles")));
        assert!(!is_count(Some("ms")) && !is_count(Some("furlongs")));
    }
}
