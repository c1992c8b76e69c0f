"""Language models in GGUF files, run by llama.cpp in a process of its own. Knows no settings and no table."""
