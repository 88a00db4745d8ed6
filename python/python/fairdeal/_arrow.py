"""Columns as a stream of Arrow, by its C interface: no Arrow library is needed.

https://arrow.apache.org/docs/format/CStreamInterface.html describes the structures. Every structure
that is given away keeps what it points to in `_KEPT`, under the number in its `private_data`,
until it is released: a consumer may move the structure itself.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Mapping
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p, py_object
from typing import Any

import numpy as np
import numpy.typing as npt

_KEPT: dict[int, Any] = {}
_NUMBERS = itertools.count(1)
_NULLABLE = 2

_Release = CFUNCTYPE(None, c_void_p)
_Get = CFUNCTYPE(c_int, c_void_p, c_void_p)
_Tell = CFUNCTYPE(c_void_p, c_void_p)


class _Schema(Structure):
    _fields_ = [
        *(("format", c_char_p), ("name", c_char_p), ("metadata", c_char_p)),
        *(("flags", c_int64), ("n_children", c_int64), ("children", c_void_p)),
        *(("dictionary", c_void_p), ("release", c_void_p), ("private_data", c_void_p)),
    ]


class _Array(Structure):
    _fields_ = [
        *(("length", c_int64), ("null_count", c_int64), ("offset", c_int64)),
        *(("n_buffers", c_int64), ("n_children", c_int64), ("buffers", c_void_p)),
        *(("children", c_void_p), ("dictionary", c_void_p), ("release", c_void_p)),
        ("private_data", c_void_p),
    ]


class _Stream(Structure):
    _fields_ = [
        *(("get_schema", c_void_p), ("get_next", c_void_p), ("get_last_error", c_void_p)),
        *(("release", c_void_p), ("private_data", c_void_p)),
    ]


def _cleared(kind: Any, address: int) -> Any:
    """The structure at an address, whose memory may hold anything."""
    ctypes.memset(address, 0, ctypes.sizeof(kind))
    return kind.from_address(address)


def _keep(structure: Any, release: Any, *kept: Any) -> None:
    structure.private_data = next(_NUMBERS)
    structure.release = ctypes.cast(release, c_void_p)
    _KEPT[structure.private_data] = kept


def _immortal(function: Any) -> Any:
    """The function of C, which is called also while Python ends."""
    ctypes.pythonapi.Py_IncRef(py_object(function))
    return function


def _released(kind: Any) -> Any:
    # Names of its own: those of modules may be gone when Python ends.
    kept, pointer, function, address_of = _KEPT, c_void_p, _Release, ctypes.addressof
    size = ctypes.sizeof(c_void_p)

    def release(address: int) -> None:
        structure = kind.from_address(address)
        for place in range(getattr(structure, "n_children", 0)):
            child = kind.from_address(pointer.from_address(structure.children + size * place).value)
            if child.release:
                function(child.release)(address_of(child))
        kept.pop(structure.private_data, None)
        structure.release = None

    return _immortal(_Release(release))


_RELEASE = {kind: _released(kind) for kind in (_Schema, _Array, _Stream)}


def _with_children(structure: Any, children: list[Any]) -> Any:
    """The pointers to the children, which the structure gets."""
    pointers = (c_void_p * len(children))(*(ctypes.addressof(child) for child in children))
    structure.n_children, structure.children = len(children), ctypes.addressof(pointers)
    return pointers


def _fill_schema(schema: _Schema, formats: Mapping[str, bytes]) -> None:
    children = []
    for name, format in formats.items():
        children.append(_Schema(format=format, name=name.encode(), flags=_NULLABLE))
        _keep(children[-1], _RELEASE[_Schema])
    schema.format, schema.name = b"+s", b""
    _keep(schema, _RELEASE[_Schema], children, _with_children(schema, children))


def _fill_array(array: _Array, columns: Mapping[str, _Column], length: int) -> None:
    children = []
    for column in columns.values():
        addresses = (c_void_p * len(column.buffers))(
            *(None if buffer is None else buffer.ctypes.data for buffer in column.buffers)
        )
        child = _Array(length=length, null_count=column.nulls, n_buffers=len(addresses))
        child.buffers = ctypes.addressof(addresses)
        _keep(child, _RELEASE[_Array], addresses, column)
        children.append(child)
    none = (c_void_p * 1)(None)
    array.length, array.n_buffers, array.buffers = length, 1, ctypes.addressof(none)
    _keep(array, _RELEASE[_Array], none, children, _with_children(array, children))


class _Column:
    """The format and the buffers of a column of a NumPy type, or of texts with None for nothing."""

    def __init__(self, values: npt.NDArray[Any]) -> None:
        self.nulls = 0
        if values.dtype != object:
            self.format = _FORMATS[values.dtype.str[1:]]
            self.buffers = [None, np.ascontiguousarray(values)]
            return
        texts = [b"" if value is None else str(value).encode() for value in values]
        offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        known = np.array([value is not None for value in values], dtype=bool)
        self.nulls = len(known) - int(known.sum())
        valid = np.packbits(known, bitorder="little")
        self.format = b"U"
        self.buffers = [valid, offsets, np.frombuffer(b"".join(texts) + b"\0", np.uint8)]


_FORMATS = {"i1": b"c", "u1": b"C", "u4": b"I", "i8": b"l", "u8": b"L", "f8": b"g"}


def stream(columns: Mapping[str, npt.NDArray[Any]], length: int) -> Any:
    """Return a capsule of a stream with one batch: all rows."""
    given = {name: _Column(values) for name, values in columns.items()}
    batches = iter([given])

    def get_schema(_: int, out: int) -> int:
        formats = {name: column.format for name, column in given.items()}
        _fill_schema(_cleared(_Schema, out), formats)
        return 0

    def get_next(_: int, out: int) -> int:
        array = _cleared(_Array, out)  # without a function of release, the stream is at its end
        for batch in batches:
            _fill_array(array, batch, length)
            break
        return 0

    of = _Stream()
    functions = _Get(get_schema), _Get(get_next), _Tell(lambda _: None)
    of.get_schema, of.get_next, of.get_last_error = (ctypes.cast(f, c_void_p) for f in functions)
    _keep(of, _RELEASE[_Stream], functions)
    return _capsule(of)


_NAME = b"arrow_array_stream"
_NEW = ctypes.pythonapi.PyCapsule_New
_NEW.restype, _NEW.argtypes = py_object, (c_void_p, c_char_p, c_void_p)
_POINTER = ctypes.pythonapi.PyCapsule_GetPointer
_POINTER.restype, _POINTER.argtypes = c_void_p, (c_void_p, c_char_p)


def _capsule(stream: _Stream) -> Any:
    address = ctypes.addressof(stream)
    _KEPT[address] = stream
    return _NEW(address, _NAME, ctypes.cast(_DROPPED, c_void_p))


def _dropping() -> Any:
    """Return the function that releases a stream that nothing has consumed, with its memory."""
    kept, name, pointer, release = _KEPT, _NAME, _POINTER, _RELEASE[_Stream]

    def dropped(capsule: int) -> None:
        address = pointer(capsule, name)
        left = kept.pop(address, None)
        if left is not None and left.release:
            release(address)

    return _immortal(_Release(dropped))


_DROPPED = _dropping()
