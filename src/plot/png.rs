//! SVG text to PNG, with a font of our own: the machine may have none.

use std::sync::Arc;

use resvg::{tiny_skia, usvg};

use crate::error::Error;

/// `DejaVu` Sans, cut down; its licence stands beside it.
const FONT: &[u8] = include_bytes!("../../assets/DejaVuSans-subset.ttf");

/// Pixels for each unit of the scene: sharp on screens of high density.
const PIXELS: f32 = 2.0;

pub(super) fn draw(svg: &str) -> Result<Vec<u8>, Error> {
    let failed =
        |what: String| Error::new(format!("the picture cannot be drawn: {what}"));
    let mut options = usvg::Options::default();
    let fonts = Arc::make_mut(&mut options.fontdb);
    fonts.load_font_data(FONT.to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    let tree = usvg::Tree::from_str(svg, &options)
        .map_err(|error| failed(error.to_string()))?;
    let size = tree.size();
    let pixels = |units: f32| (PIXELS * units).ceil() as u32;
    let mut canvas =
        tiny_skia::Pixmap::new(pixels(size.width()), pixels(size.height()))
            .ok_or_else(|| failed("it is too large".to_owned()))?;
    let scale = tiny_skia::Transform::from_scale(PIXELS, PIXELS);
    resvg::render(&tree, scale, &mut canvas.as_mut());
    canvas.encode_png().map_err(|error| failed(error.to_string()))
}
