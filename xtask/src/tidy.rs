use anyhow::Result;
pub(crate) fn verb(_: &mut lexopt::Parser) -> Result<()> {
    Ok(())
}
