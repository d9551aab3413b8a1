//! SVG to PNG.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use super::svg::FONT;
use crate::BenchError;

/// How many pixels a unit of the drawing gets, for screens of high resolution.
const SCALE: f32 = 2.0;

/// A drawing as a PNG file.
pub fn to_png(svg: &str) -> Result<Vec<u8>, BenchError> {
    let failed = |error: &dyn std::fmt::Display| BenchError::Drawing(error.to_string());
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    let options = Options { fontdb: Arc::new(fonts), font_family: FONT.to_owned(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| failed(&error))?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or_else(|| failed(&"the drawing has no size"))?;
    let mut pixels =
        Pixmap::new(size.width(), size.height()).ok_or_else(|| failed(&"the drawing is too large"))?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| failed(&error))
}
