//! TOML: any text is rejected or is a configuration that survives printing, of engines and of solvers; any setting is rejected or changes one.

use thetis_portfolio::Config;
use thetis_smtlib::SmtlibConfig;

use super::{Effect, text_of};

pub fn check(bytes: &[u8]) -> Effect {
    let text = text_of(bytes);
    let mut effects = match toml::from_str::<SmtlibConfig>(&text) {
        Ok(_) => "a solver".into(),
        Err(error) => error.message().to_owned(),
    };
    match Config::from_toml(&text) {
        Ok(config) => {
            let printed = config.to_toml();
            assert_eq!(Config::from_toml(&printed).expect("a printed configuration should be one"), config);
            effects += "accepted";
        }
        Err(error) => effects += &error.to_string(),
    }
    let settings: Vec<String> = text.lines().take(4).map(ToOwned::to_owned).collect();
    if let Err(error) = Config::default().with_settings(&settings) {
        let message = error.to_string();
        assert!(!message.is_empty());
        effects += &message;
    }
    effects
}
