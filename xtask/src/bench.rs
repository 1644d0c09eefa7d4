use anyhow::Result;
pub(crate) fn verb(_: &mut lexopt::Parser) -> Result<()> {
    Ok(())
}
pub(crate) fn sizes_table() -> Option<String> {
    None
}
