//! What the search makes of real classes, compiled by a real compiler.

mod api;
mod files;
mod fixture;
mod implement;
mod mock;
