//! A page with the sequence diagrams of scenario files, to be opened in any browser:
//!
//! ```text
//! cargo run -p fencing --example scenarios data/breakdowns/*.toml > breakdowns.html
//! ```

use fencing::prelude::*;

fn main() -> Result<(), ScenarioError> {
    println!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"/>\
         <meta name=\"color-scheme\" content=\"light dark\"/><title>Scenarios</title></head>\
         <body style=\"margin:16px;font-family:sans-serif\">"
    );
    for file in std::env::args().skip(1) {
        let diagram = trace(&Scenario::read(&file)?, Seed(1))?.sequence().titled(file);
        println!("{}", diagram.to_html());
    }
    println!("</body></html>");
    Ok(())
}
