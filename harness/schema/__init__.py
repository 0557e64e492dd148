"""The JSON schema of reports, as package data."""
