"""Pages for a browser: rendered here, without a script but for signing in and out."""
