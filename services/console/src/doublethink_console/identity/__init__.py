"""Who a person is, where a company's identity provider says so: tokens, their keys, teams and roles."""
