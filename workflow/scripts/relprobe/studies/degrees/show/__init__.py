"""What a reader sees: tables, figures, captions and pages."""
