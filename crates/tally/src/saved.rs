//! Serialisation of tables in a checkpoint: the bytes of their counters, one after the other.
//!
//! The bytes have the machine's byte order, which a checkpoint's header states.

/// A table on the heap, of any shape.
pub(super) mod table {
    use std::ops::Deref;

    use bytemuck::Pod;
    use serde::{Deserializer, Serializer, de::Error};

    pub(in super::super) fn serialize<T: Pod, B: Deref<Target = T>, S: Serializer>(
        table: &B,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytemuck::bytes_of(&**table))
    }

    pub(in super::super) fn deserialize<'de, T: Pod, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Box<T>, D::Error> {
        let bytes: &[u8] = serde::Deserialize::deserialize(deserializer)?;
        let mut table = bytemuck::allocation::zeroed_box::<T>();
        let place = bytemuck::bytes_of_mut(&mut *table);
        if bytes.len() != place.len() {
            let (found, wanted) = (bytes.len(), place.len());
            return Err(D::Error::custom(format!(
                "a table has {found} bytes (expected {wanted})"
            )));
        }
        place.copy_from_slice(bytes);
        Ok(table)
    }
}

/// A list of numbers, of any length.
pub(super) mod list {
    use bytemuck::Pod;
    use serde::{Deserializer, Serializer, de::Error};

    pub(in super::super) fn serialize<T: Pod, S: Serializer>(
        list: &[T],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytemuck::cast_slice(list))
    }

    pub(in super::super) fn deserialize<'de, T: Pod, L: From<Vec<T>>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<L, D::Error> {
        let bytes: &[u8] = serde::Deserialize::deserialize(deserializer)?;
        if !bytes.len().is_multiple_of(size_of::<T>()) {
            let length = bytes.len();
            return Err(D::Error::custom(format!(
                "a list has {length} bytes, not a whole number of elements"
            )));
        }
        let mut list = vec![T::zeroed(); bytes.len() / size_of::<T>()];
        bytemuck::cast_slice_mut(&mut list).copy_from_slice(bytes);
        Ok(L::from(list))
    }
}
