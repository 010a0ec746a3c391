//! `doctor`: what was found on this machine, and what is missing.

use sandbox::Availability;
use serde::Serialize;
use toolchain::{JUnitKind, JUnitSources, Maven};

use crate::args::DoctorOptions;
use crate::console;
use crate::exit::Exit;

/// All findings.
#[derive(Serialize)]
struct Diagnosis {
    /// Whether nothing that is needed is missing.
    ok: bool,
    checks: Vec<Finding>,
}

#[derive(Serialize)]
struct Finding {
    part: &'static str,
    ok: bool,
    /// Whether tests cannot be written without it.
    needed: bool,
    detail: String,
}

/// Whether the JDK's effects are seen.
const MONITOR: &str = "effect monitor";

pub(crate) fn doctor(options: &DoctorOptions) -> anyhow::Result<Exit> {
    let mut findings = Vec::new();
    let mut add = |part, needed, result: Result<String, String>| {
        let ok = result.is_ok();
        let detail = result.unwrap_or_else(|why| why);
        findings.push(Finding { part, ok, needed, detail });
    };
    let jdk = crate::target::select_jdk(options.jdk.as_deref());
    let survey = match &jdk {
        Ok(jdk) => crate::monitor::survey(&jdk.home).map_err(|e| e.to_string()),
        Err(_) => Err("no JDK".to_owned()),
    };
    add(
        "JDK",
        true,
        jdk.map(|jdk| format!("{} in {}", jdk.version.full, jdk.home.display()))
            .map_err(|e| e.to_string()),
    );
    match survey.map(|survey| (crate::monitor::warnings(&survey), survey.natives)) {
        Err(why) => add(MONITOR, true, Err(why)),
        Ok((warnings, natives)) if warnings.is_empty() => {
            let detail = format!("all {natives} native methods of the watched classes are known");
            add(MONITOR, true, Ok(detail));
        }
        Ok((warnings, _)) => add(MONITOR, false, Err(warnings.join("; "))),
    }
    let all: Vec<String> = toolchain::discover()
        .iter()
        .map(|jdk| format!("{} in {}", jdk.version.full, jdk.home.display()))
        .collect();
    let all = if all.is_empty() { Err("none".to_owned()) } else { Ok(all.join("; ")) };
    add("all JDKs", false, all);
    add(
        "Maven",
        false,
        Maven::find(None).map(|m| m.program().display().to_string()).map_err(|e| e.to_string()),
    );
    for (part, kind) in [("JUnit 5", JUnitKind::Jupiter), ("JUnit 4", JUnitKind::JUnit4)] {
        let jars = toolchain::installed_junit_jars(kind, JUnitSources::default());
        add(
            part,
            false,
            match jars {
                Ok(Some(jars)) => Ok(crate::class_path::join(&jars)),
                Ok(None) => Err("not in the local Maven repository; Maven fetches it when it is \
                                 needed, or name it with --junit-jars"
                    .to_owned()),
                Err(error) => Err(error.to_string()),
            },
        );
    }
    let mockito = toolchain::installed_mockito()
        .map(|jar| format!("{}; mocks are written for projects that have it", jar.display()));
    let absent = "not in the local Maven repository; tests have mocks only where a project has it, or \
                  --test-dependencies names it";
    add("Mockito", false, mockito.ok_or_else(|| absent.to_owned()));
    let support = sandbox::support();
    for (part, needed, availability) in [
        ("sandbox: files (Landlock)", true, &support.landlock),
        ("sandbox: system calls (seccomp)", true, &support.seccomp),
        ("sandbox: signals", false, &support.signal_scope),
        ("sandbox: private network", false, &support.network_namespace),
    ] {
        let result = match availability {
            Availability::Available(detail) => Ok(detail.clone()),
            Availability::Missing(why) => Err(why.clone()),
        };
        add(part, needed, result);
    }
    let ok = findings.iter().all(|f| f.ok || !f.needed);
    let diagnosis = Diagnosis { ok, checks: findings };
    if options.json {
        console::json(&diagnosis)?;
    } else {
        for finding in &diagnosis.checks {
            let mark = match (finding.ok, finding.needed) {
                (true, _) => "ok     ",
                (false, true) => "MISSING",
                (false, false) => "absent ",
            };
            console::line(&format!("{mark}  {}: {}", finding.part, finding.detail));
        }
        let verdict = if ok {
            "Testhound can write tests here."
        } else {
            "Something that is needed is missing (see above)."
        };
        console::line(verdict);
    }
    Ok(if ok { Exit::Done } else { Exit::MissingPart })
}
