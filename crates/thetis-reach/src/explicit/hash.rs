//! A quick hash of words. It is not secure, but malicious inputs can at most slow a search down.

/// The hash of the words. Each step is a bijection of the state, so words that differ in one place differ in the hash.
pub(super) fn hash(words: impl IntoIterator<Item = u64>) -> u64 {
    let mut state = 0x243f_6a88_85a3_08d3u64;
    for word in words {
        state = (state ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        state ^= state >> 32;
    }
    state = state.wrapping_mul(0xd6e8_feb8_6659_fd93);
    state ^ (state >> 29)
}
