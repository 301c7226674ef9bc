//! What reports and plots share: numbers, units and names as people read them.

pub(crate) mod name;
pub(crate) mod number;
pub(crate) mod scale;
pub(crate) mod xml;
