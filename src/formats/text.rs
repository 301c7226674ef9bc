//! Bytes of a file as text: compression, byte order marks, encodings.

use std::io::Read;

use crate::error::Error;

/// The text in these bytes.
///
/// # Errors
/// When it is compressed, binary, or in an encoding that is not known.
pub(super) fn decode(path: &str, bytes: Vec<u8>) -> Result<String, Error> {
    let bytes = match bytes.as_slice() {
        [0x1f, 0x8b, ..] => {
            unpack(path, "gzip", flate2::read::MultiGzDecoder::new(bytes.as_slice()))?
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] => {
            unpack(path, "zstd", zstd(path, bytes.as_slice())?)?
        }
        _ => bytes,
    };
    if let Some((kind, tool)) = compression(&bytes) {
        return Err(Error::new(format!(
            "it is compressed with {kind}, which is not read yet"
        ))
        .in_file(path)
        .with_hint(format!("unpack it first: `{tool} {path} | patchodds … -`")));
    }
    let text = match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => utf16(path, rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => utf16(path, rest, u16::from_be_bytes)?,
        _ => utf8(path, bytes)?,
    };
    match text.bytes().position(|byte| byte == 0) {
        Some(at) => Err(Error::new("it is binary, not text: it holds a NUL byte")
            .at_line(path, line_of(text.as_bytes(), at))
            .with_hint("give the text form, CSV or one number a line")),
        // Old text ends its lines with CR alone.
        None if text.contains('\r') && !text.contains('\n') => {
            Ok(text.replace('\r', "\n"))
        }
        None => Ok(text),
    }
}

/// What a file holds that begins with `head`, unpacked as it comes.
pub(super) fn unpacked<'a>(
    path: &str,
    head: &[u8],
    whole: impl Read + 'a,
) -> Result<Box<dyn Read + 'a>, Error> {
    Ok(match head {
        [0x1f, 0x8b, ..] => Box::new(flate2::read::MultiGzDecoder::new(whole)),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Box::new(zstd(path, whole)?),
        _ => Box::new(whole),
    })
}

/// The most that is unpacked: what is larger is no benchmark, or meant to do harm.
const LARGEST: u64 = 1 << 32;

fn unpack(path: &str, kind: &str, from: impl Read) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = from.take(LARGEST).read_to_end(&mut bytes);
    read.map_err(|error| damaged(path, kind, &error))?;
    if bytes.len() as u64 == LARGEST {
        return Err(Error::new("it unpacks to more than 4 GiB")
            .in_file(path)
            .with_hint("give a part of it"));
    }
    Ok(bytes)
}

fn zstd<R: Read>(path: &str, bytes: R) -> Result<impl Read + use<R>, Error> {
    ruzstd::decoding::StreamingDecoder::new(bytes)
        .map_err(|error| damaged(path, "zstd", &error))
}

fn damaged(path: &str, kind: &str, error: &dyn std::error::Error) -> Error {
    let why = error.to_string().to_lowercase();
    Error::new(format!("it begins like {kind} and cannot be unpacked: {why}"))
        .in_file(path)
        .with_hint("the file may be cut off: copy it again")
}

fn utf8(path: &str, mut bytes: Vec<u8>) -> Result<String, Error> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.into_bytes();
        let hint = if bytes.contains(&0) {
            "give the text form, CSV or one number a line"
        } else {
            "save it as UTF-8: `iconv -f latin1 -t utf-8`"
        };
        Error::new(format!("the byte 0x{:02x} is not UTF-8 text", bytes[at]))
            .at_line(path, line_of(&bytes, at))
            .with_hint(hint)
    })
}

fn utf16(path: &str, bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, Error> {
    let error = || {
        Error::new("it begins like UTF-16 and is not")
            .in_file(path)
            .with_hint("save it as UTF-8")
    };
    let pairs = bytes.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return Err(error());
    }
    char::decode_utf16(pairs.map(|pair| unit([pair[0], pair[1]])))
        .collect::<Result<String, _>>()
        .map_err(|_| error())
}

/// The kind of compression and the command that undoes it.
fn compression(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    match bytes {
        [0xfd, b'7', b'z', b'X', b'Z', ..] => Some(("xz", "xz -dc")),
        [b'B', b'Z', b'h', ..] if bytes.get(4..10) == Some(b"1AY&SY") => {
            Some(("bzip2", "bzip2 -dc"))
        }
        [b'P', b'K', 3, 4, ..] => Some(("zip", "unzip -p")),
        _ => None,
    }
}

/// The line, counted from 1, of the byte at `at`.
pub(super) fn line_of(bytes: &[u8], at: usize) -> usize {
    bytes[..at.min(bytes.len())].split(|byte| *byte == b'\n').count()
}
