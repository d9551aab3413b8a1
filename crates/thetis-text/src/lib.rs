//! Front ends for the textual model languages.
