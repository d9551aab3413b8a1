//! Texts in unknown encodings, as in old programs.
//!
//! A compiler copies the bytes of a narrow string literal whatever they are, so `"é"` in Latin-1 is one element with
//! the value 0xe9. A text here is a `String`. Bytes that are not UTF-8 become private characters at the end of the last
//! plane of Unicode, which no text uses, and literals turn them back into bytes.

/// The character that stands for the byte 0.
const FIRST: u32 = 0x10_ff00;

/// The text of a C program, from which every byte can be recovered.
pub fn decode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match byte_of(character) {
                None => text.push(character),
                // The program has such a character itself: its bytes stand for it.
                Some(_) => text.extend(character.encode_utf8(&mut [0; 4]).bytes().map(character_of)),
            }
        }
        text.extend(chunk.invalid().iter().copied().map(character_of));
    }
    text
}

/// The byte that a private character stands for.
pub(crate) fn byte_of(character: char) -> Option<u8> {
    u8::try_from(u32::from(character).checked_sub(FIRST)?).ok()
}

fn character_of(byte: u8) -> char {
    char::from_u32(FIRST + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_come_back() {
        for bytes in [&b"plain"[..], "ä\u{fffd}".as_bytes(), b"caf\xe9 \xff", "\u{10ffe9}".as_bytes()] {
            let back: Vec<u8> = decode(bytes)
                .chars()
                .flat_map(|character| match byte_of(character) {
                    Some(byte) => vec![byte],
                    None => character.to_string().into_bytes(),
                })
                .collect();
            assert_eq!(back, bytes);
        }
        assert_eq!(decode(b"\xe9").chars().count(), 1);
    }
}
