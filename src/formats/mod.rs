//! Input formats: one file each, one registry, detection by content.
