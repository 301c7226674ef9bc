//! Text inside of XML.

/// Text for an element or an attribute. Characters that XML 1.0 has no way to write
/// (section 2.2) become U+FFFD, and so do other control characters, but for line breaks
/// and tabs, which become blanks.
pub(crate) fn escaped(text: &str) -> String {
    let printable = |c: char| match c {
        '\t' | '\n' | '\r' => ' ',
        '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    let text: String = text.chars().map(printable).collect();
    quick_xml::escape::escape(text).into_owned()
}
