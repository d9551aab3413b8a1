//! TOML: any text is refused or is a configuration that survives printing, of engines and of solvers; any setting is refused or changes one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use thetis_portfolio::Config;
use thetis_smtlib::SmtlibConfig;

fuzz_target!(|text: &str| {
    let _ = toml::from_str::<SmtlibConfig>(text);
    if let Ok(config) = Config::from_toml(text) {
        assert_eq!(Config::from_toml(&config.to_toml()).expect("a printed configuration should be one"), config);
    }
    let settings: Vec<String> = text.lines().take(4).map(ToOwned::to_owned).collect();
    if let Err(error) = Config::default().with_settings(&settings) {
        assert!(!error.to_string().is_empty());
    }
});
