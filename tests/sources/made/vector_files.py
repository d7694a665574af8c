"""Writers of the binary files of static vectors."""

import struct


def fasttext(path, words, rows, *, smallest, largest, buckets, version=12, model=1, quantised=False, pruned=None):
    """Write a fastText model: the rows of its words, then those of its buckets."""
    width = len(rows[0])
    head = struct.pack("<14i", 793712314, version, width, 5, 5, 1, 5, 1, 2, model, buckets, smallest, largest, 100)
    head += struct.pack("<d", 1e-4)
    head += struct.pack("<iiiqq", len(words), len(words), 0, 99, -1 if pruned is None else len(pruned))
    entries = b"".join(word.encode() + b"\0" + struct.pack("<qb", 7, 0) for word in words)
    kept = b"".join(struct.pack("<ii", *pair) for pair in (pruned or {}).items())
    matrix = struct.pack("<qq", len(rows), width) + b"".join(struct.pack(f"<{width}f", *row) for row in rows)
    path.write_bytes(head + entries + kept + bytes([quantised]) + matrix)
    return path


def word2vec(path, vectors, *, breaks=False):
    """Write word -> vector as word2vec does; `breaks`: with a line break after each vector."""
    width = len(next(iter(vectors.values())))
    records = [word.encode() + b" " + struct.pack(f"<{width}f", *row) for word, row in vectors.items()]
    path.write_bytes(f"{len(vectors)} {width}\n".encode() + (b"\n" if breaks else b"").join([*records, b""]))
    return path
