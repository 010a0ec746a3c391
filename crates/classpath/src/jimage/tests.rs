//! Images made by hand: small enough to damage at every byte.

use super::*;
use std::io::Write;

/// An image with the given resources: module, parent, base, extension, contents.
fn image(resources: &[[&str; 5]], compressed: u64, word: fn(u32) -> [u8; 4]) -> Vec<u8> {
    let mut strings = vec![0];
    let mut locations = vec![0];
    let mut contents = Vec::new();
    let mut streams = Vec::new();
    for [module, parent, base, extension, text] in resources {
        let start = locations.len() as u32;
        let mut attribute = |kind: u8, value: u64| {
            let bytes = value.to_be_bytes();
            let skip = bytes.iter().take_while(|byte| **byte == 0).count().min(7);
            locations.push(kind << 3 | (7 - skip as u8));
            locations.extend(&bytes[skip..]);
        };
        for (kind, part) in (1..).zip([module, parent, base, extension]) {
            attribute(kind, strings.len() as u64);
            strings.extend(part.bytes().chain([0]));
        }
        attribute(5, contents.len() as u64);
        attribute(6, compressed);
        attribute(7, text.len() as u64);
        locations.push(0);
        contents.extend(text.bytes());
        streams.push((format!("/{module}/{parent}/{base}.{extension}"), start));
    }
    // Every resource alone in its bucket, or moved to a free slot by its number.
    let slots = streams.len() as u32;
    let mut offsets = vec![0; slots as usize];
    let mut redirects = vec![0_i32; slots as usize];
    for (slot, (path, start)) in streams.iter().enumerate() {
        let bucket = (hash(path, HASH_SEED) % slots) as usize;
        assert_eq!(redirects[bucket], 0, "the test's names must not share a bucket");
        redirects[bucket] = -1 - slot as i32;
        offsets[slot] = *start;
    }
    let header = [MAGIC, VERSION, 0, slots, slots, locations.len() as u32, strings.len() as u32];
    let redirects = redirects.into_iter().map(i32::cast_unsigned);
    let words = header.into_iter().chain(redirects).chain(offsets);
    let mut bytes: Vec<u8> = words.flat_map(word).collect();
    bytes.extend(locations.into_iter().chain(strings).chain(contents));
    bytes
}

const RESOURCES: [[&str; 5]; 2] =
    [["m", "p/q", "A", "class", "one"], ["m", "p", "B", "txt", "two!"]];

fn open(bytes: &[u8]) -> Result<Jimage, JimageError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    Jimage::open(file.path())
}

fn check(bytes: &[u8]) {
    let image = open(bytes).unwrap();
    for (path, expected) in [("/m/p/q/A.class", Some("one")), ("/m/p/B.txt", Some("two!"))] {
        let found = image.find(path).unwrap().map(|location| image.read(&location).unwrap());
        assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{path}");
    }
    for absent in ["", "/m/p/q/A", "/m/p/q/B.class", "/n/p/q/A.class", "/m/p/q/A.class/"] {
        assert!(image.find(absent).unwrap().is_none(), "{absent}");
    }
}

#[test]
fn resources_are_found_by_their_path_in_either_byte_order() {
    check(&image(&RESOURCES, 0, u32::to_le_bytes));
    check(&image(&RESOURCES, 0, u32::to_be_bytes));
}

#[test]
fn a_compressed_resource_is_named() {
    let image = open(&image(&RESOURCES, 3, u32::to_le_bytes)).unwrap();
    let location = image.find("/m/p/q/A.class").unwrap().unwrap();
    let error = image.read(&location).unwrap_err();
    let JimageError::Compressed { resource, .. } = error else { panic!("{error}") };
    assert_eq!(resource, "/m/p/q/A.class");
}

#[test]
fn every_cut_and_every_changed_byte_is_survived() {
    let whole = image(&RESOURCES, 0, u32::to_le_bytes);
    let mut refused = 0;
    let mut look = |bytes: &[u8]| match open(bytes) {
        Ok(image) => {
            for slot in 0..image.slots().min(4) {
                let read = image.location(slot).and_then(|location| image.read(&location));
                refused += usize::from(read.is_err());
            }
            for path in ["/m/p/q/A.class", "/m/p/B.txt", "/x"] {
                refused += usize::from(image.find(path).is_err());
            }
        }
        Err(_) => refused += 1,
    };
    for length in 0..whole.len() {
        look(&whole[..length]);
    }
    for at in 0..whole.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff, whole[at] ^ 8] {
            let mut changed = whole.clone();
            changed[at] = value;
            look(&changed);
        }
    }
    assert!(refused > whole.len(), "damage must be noticed: {refused}");
}
