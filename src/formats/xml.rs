//! XML as benchmark tools write it: a tree of elements, each with its line.

use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Error as Fault, Reader, XmlVersion};

use super::File;
use super::text::line_of;
use crate::error::Error;

/// How deep elements may lie in one another; no tool comes near.
const DEEPEST: usize = 100;

/// One element with all that is in it.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: String,
    /// Where it begins, counted from 1.
    pub(super) line: usize,
    attributes: Vec<(String, String)>,
    /// What stands in it, without its children and the blanks around.
    pub(super) text: String,
    pub(super) children: Vec<Element>,
}

impl Element {
    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        attributes.find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The first child of that name.
    pub(super) fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The children of that name.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The text of the first child of that name, unless it is empty.
    pub(super) fn text_of(&self, name: &str) -> Option<&str> {
        self.child(name)
            .map(|child| child.text.as_str())
            .filter(|text| !text.is_empty())
    }
}

/// The name of the outermost element; `None` when the text does not begin like XML.
pub(super) fn root(text: &str) -> Option<String> {
    let text = text.trim_start();
    let mut reader = Reader::from_str(text.starts_with('<').then_some(text)?);
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) | Event::Empty(start) => {
                return Some(start.name().as_ref().to_owned());
            }
            Event::Eof | Event::End(_) => return None,
            _ => {}
        }
    }
}

/// Reads a whole file; `tool` is who should have written it.
pub(super) fn parse(file: &File<'_>, tool: &str) -> Result<Element, Error> {
    let mut reader = Reader::from_str(file.text);
    let mut lines = Lines { text: file.text.as_bytes(), at: 0, line: 1 };
    let mut open: Vec<Element> = Vec::new();
    loop {
        let line = lines.of(reader.buffer_position());
        let event = reader.read_event().map_err(|fault| {
            let at = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
            refusal(file, &fault, line_of(file.text.as_bytes(), at))
        })?;
        let ended = match event {
            Event::Start(start) => {
                if open.len() == DEEPEST {
                    let what = format!("elements lie more than {DEEPEST} deep");
                    return Err(foreign(what, tool).at_line(file.path, line));
                }
                open.push(element(&start, file, line)?);
                None
            }
            Event::Empty(start) => Some(element(&start, file, line)?),
            Event::End(_) => open.pop(),
            Event::Eof => return Err(ends_early(file, tool, open.is_empty())),
            Event::Text(text) => {
                add(&mut open, &text.xml10_content());
                None
            }
            Event::CData(text) => {
                add(&mut open, &text.xml10_content());
                None
            }
            Event::GeneralRef(reference) => {
                add(&mut open, &resolved(&reference));
                None
            }
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {
                None
            }
        };
        if let Some(ended) = ended {
            let ended = Element { text: ended.text.trim().to_owned(), ..ended };
            match open.last_mut() {
                Some(parent) => parent.children.push(ended),
                // What comes after the outermost element says nothing.
                None => return Ok(ended),
            }
        }
    }
}

/// Counts lines as a file is read.
struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
}

impl Lines<'_> {
    /// The line of a place that is not before the last.
    fn of(&mut self, place: u64) -> usize {
        let to = usize::try_from(place).unwrap_or(usize::MAX).min(self.text.len());
        let passed = self.text.get(self.at..to).unwrap_or_default();
        self.line += passed.split(|byte| *byte == b'\n').count() - 1;
        self.at = to;
        self.line
    }
}

fn element(
    start: &BytesStart<'_>,
    file: &File<'_>,
    line: usize,
) -> Result<Element, Error> {
    let attribute = |attribute: Result<_, _>| -> Result<_, Fault> {
        let attribute: quick_xml::events::attributes::Attribute<'_> = attribute?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0)?;
        Ok((attribute.key.as_ref().to_owned(), value.into_owned()))
    };
    let attributes: Result<_, Fault> = start.attributes().map(attribute).collect();
    Ok(Element {
        name: start.name().as_ref().to_owned(),
        line,
        attributes: attributes.map_err(|fault| refusal(file, &fault, line))?,
        text: String::new(),
        children: Vec::new(),
    })
}

fn add(open: &mut [Element], text: &str) {
    if let Some(inner) = open.last_mut() {
        inner.text.push_str(text);
    }
}

/// What a reference such as `&amp;` stands for; one that is not known stays as it is.
fn resolved(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(letter)) = reference.resolve_char_ref() {
        return letter.to_string();
    }
    let name = reference.xml10_content();
    match quick_xml::escape::resolve_predefined_entity(&name) {
        Some(text) => text.to_owned(),
        None => format!("&{name};"),
    }
}

/// All faults of syntax but one are an end of the text inside of something.
fn refusal(file: &File<'_>, fault: &Fault, line: usize) -> Error {
    use quick_xml::errors::SyntaxError;
    match fault {
        Fault::Syntax(syntax) if *syntax != SyntaxError::InvalidBangMarkup => {
            cut_off(file)
        }
        _ => Error::new(format!("this is no XML: {fault}"))
            .at_line(file.path, line)
            .with_hint("give the file as the tool wrote it"),
    }
}

fn cut_off(file: &File<'_>) -> Error {
    Error::new("the XML ends in the middle: the file was cut off")
        .at_line(file.path, file.text.lines().count().max(1))
        .with_hint("write it again, or copy all of it; nothing of a cut file is read")
}

fn ends_early(file: &File<'_>, tool: &str, nothing: bool) -> Error {
    if nothing {
        foreign("there is no element in it".to_owned(), tool).in_file(file.path)
    } else {
        cut_off(file)
    }
}

/// XML that is not of this tool.
pub(super) fn foreign(what: String, tool: &str) -> Error {
    Error::new(format!("this is not as {tool} writes it: {what}"))
        .with_hint("give the file as the tool wrote it")
}

/// The outermost element, which must have one of these names.
pub(super) fn parse_root(
    file: &File<'_>,
    tool: &str,
    names: &[&str],
) -> Result<Element, Error> {
    let root = parse(file, tool)?;
    if names.contains(&root.name.as_str()) {
        return Ok(root);
    }
    let what = format!("it begins with `<{}>`, not `<{}>`", root.name, names[0]);
    Err(foreign(what, tool).at_line(file.path, root.line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Element, String> {
        parse(&File { path: "f", text }, "it").map_err(|error| error.to_string())
    }

    #[test]
    fn elements_keep_their_lines_attributes_and_text() {
        let text = "<?xml version=\"1.0\"?>\n<!-- <no> -->\n<a>\n <b c='1 &amp; &#50;'/>\n \
                    <d>x &lt; <![CDATA[<y>]]>\n</d></a>\n";
        let root = parsed(text).expect("XML");
        assert_eq!((root.name.as_str(), root.line), ("a", 3));
        let b = root.child("b").expect("a child");
        assert_eq!((b.line, b.attribute("c")), (4, Some("1 & 2")));
        assert_eq!(root.text_of("d"), Some("x < <y>"));
        assert_eq!(super::root(text).as_deref(), Some("a"));
    }

    #[test]
    fn what_is_cut_off_or_no_xml_names_its_line() {
        let cut = "f:2: the XML ends in the middle: the file was cut off";
        for text in ["<a>\n<b>", "<a>\n<b", "<a>\n<b c=\"", "<a>\n<!-- "] {
            assert_eq!(parsed(text).expect_err(text), cut, "{text:?}");
        }
        let error = parsed("<a>\n</b>").expect_err("a wrong end");
        assert!(error.starts_with("f:2: this is no XML: "), "{error}");
        let deep = "<a>".repeat(DEEPEST + 1);
        assert!(parsed(&deep).expect_err("too deep").contains("100 deep"));
    }
}
