#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| toolgate_fuzz::run("reader", bytes));
