"""A folder of saved pages behind a local server that speaks Tavily's wire format."""
