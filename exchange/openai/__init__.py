"""SVQ as a model for programs that speak OpenAI's protocol: each datasource is one."""
