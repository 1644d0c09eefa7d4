//! A panic in the module is a trap, and nothing hears its message: there is no standard error, and the façade makes a fresh
//! instance. What makes the message goes, and with it what its callers hand over.
//!
//! Functions are known by their names. So that a mistake is an error and no trap, what is emptied may be called from
//! elsewhere only where it never returns: code that formats a text for another use does not build.

use anyhow::{Context, Result, ensure};
use wasm_encoder::{CodeSection, Module, RawSection, SectionId};
use wasmparser::{FunctionBody, Operator, Parser};

use crate::module::Functions;

/// Parts of mangled names: what begins a panic or carries it on, and what only formats.
const EMPTIED: &[&str] = &[
    "9panicking",
    "17rust_begin_unwind",
    "8rust_oom",
    "16slice_index_fail",
    "17len_mismatch_fail",
    "13assert_failed",
    "13expect_failed",
    "12handle_error",
    "17capacity_overflow",
    "18panic_access_error",
    "4core3fmt",
];

/// A body that traps: no locals, `unreachable`, `end`.
const TRAP: &[u8] = &[0, 0x00, 0x0B];

/// The module with panics that say nothing.
pub(crate) fn silent(module: &[u8]) -> Result<Vec<u8>> {
    let functions = Functions::of(module)?;
    let emptied = |number: u32| EMPTIED.iter().any(|part| functions.name(number).contains(part));
    ensure!(functions.numbered().any(|(number, _)| emptied(number)), "the module names no panic");
    let mut code = CodeSection::new();
    for (number, body) in functions.numbered() {
        if emptied(number) {
            code.raw(TRAP);
            continue;
        }
        code.raw(body.as_bytes());
        for called in calls(body)?.into_iter().filter(|called| emptied(*called)) {
            let callee = functions.body(called).context("an import that panics")?;
            let (own, other) = (functions.name(number), functions.name(called));
            ensure!(never_returns(callee)?, "{own} needs {other}, which comes back");
        }
    }
    with_code(module, &code)
}

/// The module with other bodies.
fn with_code(module: &[u8], code: &CodeSection) -> Result<Vec<u8>> {
    let mut made = Module::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload?.as_section() {
            Some((id, _)) if id == SectionId::Code as u8 => drop(made.section(code)),
            Some((id, range)) => drop(made.section(&RawSection { id, data: &module[range] })),
            None => {}
        }
    }
    Ok(made.finish())
}

/// The functions that a body calls by their index.
fn calls(body: &FunctionBody<'_>) -> Result<Vec<u32>> {
    let mut called = vec![];
    for operator in body.get_operators_reader()? {
        if let Operator::Call { function_index } = operator? {
            called.push(function_index);
        }
    }
    Ok(called)
}

/// Whether a body leaves by traps alone: its end stands behind `unreachable`, and nothing goes there from elsewhere.
fn never_returns(body: &FunctionBody<'_>) -> Result<bool> {
    let mut depth = 0u32;
    let mut last = None;
    for operator in body.get_operators_reader()? {
        let operator = operator?;
        match operator {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => depth += 1,
            Operator::End => depth = depth.saturating_sub(1),
            Operator::Return => return Ok(false),
            Operator::Br { relative_depth } | Operator::BrIf { relative_depth }
                if relative_depth >= depth =>
            {
                return Ok(false);
            }
            Operator::BrTable { ref targets } => {
                let mut all = vec![targets.default()];
                for target in targets.targets() {
                    all.push(target?);
                }
                if all.iter().any(|target| *target >= depth) {
                    return Ok(false);
                }
            }
            _ => {}
        }
        if !matches!(operator, Operator::End) {
            last = Some(matches!(operator, Operator::Unreachable));
        }
    }
    Ok(last == Some(true))
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{Function, FunctionSection, Instruction, NameMap, NameSection, TypeSection};

    use super::*;

    /// A function that calls another one of this name, which does `instruction`.
    fn module(called: &str, instruction: &Instruction<'_>) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let mut functions = FunctionSection::new();
        functions.function(0).function(0);
        let mut code = CodeSection::new();
        for instruction in [&Instruction::Call(1), instruction] {
            let mut function = Function::new([]);
            function.instruction(&Instruction::Nop).instruction(instruction).instruction(&Instruction::End);
            code.function(&function);
        }
        let mut map = NameMap::new();
        map.append(0, "own");
        map.append(1, called);
        let mut names = NameSection::new();
        names.functions(&map);
        let mut module = Module::new();
        module.section(&types).section(&functions).section(&code).section(&names);
        module.finish()
    }

    #[test]
    fn what_panics_traps_at_once() {
        let before = module("_ZN4core9panicking5panic", &Instruction::Unreachable);
        let after = silent(&before).unwrap();
        wasmparser::validate(&after).unwrap();
        assert_eq!(after.len() + 1, before.len());
    }

    #[test]
    fn what_returns_stays() {
        let error = silent(&module("_ZN4core9panicking5count", &Instruction::Nop)).unwrap_err();
        assert_eq!(error.to_string(), "own needs _ZN4core9panicking5count, which comes back");
        assert!(silent(&module("_ZN4core3fmt5write", &Instruction::Nop)).is_err());
        assert!(silent(&module("other", &Instruction::Unreachable)).is_err());
    }
}
