//! The round trip: bytes to class and code, and back.

use classfile::{ClassFile, Code};

/// Decodes and encodes everything; the number of methods with code, or what went wrong.
pub fn round_trip(bytes: &[u8]) -> Result<u64, String> {
    let mut class = ClassFile::parse(bytes).map_err(|error| error.to_string())?;
    let mut encoded = Vec::new();
    for (index, method) in class.methods.iter().enumerate() {
        let code =
            Code::decode(&class, method).map_err(|error| format!("method {index}: {error}"))?;
        if let Some(code) = code {
            encoded
                .push((index, code.encode().map_err(|error| format!("method {index}: {error}"))?));
        }
    }
    let count = encoded.len() as u64;
    for (index, code) in encoded {
        class.methods[index].attributes.replace(&class.pool, "Code", code);
    }
    let written = class.to_bytes();
    if written == bytes {
        return Ok(count);
    }
    let at = written.iter().zip(bytes).take_while(|(new, old)| new == old).count();
    Err(format!("bytes differ from offset {at} on"))
}
