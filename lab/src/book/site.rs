//! All pages of a site together: no link leads nowhere, and nothing is fetched from anywhere.

use super::references::{self, References};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Links to elsewhere, which only a reader follows. Whether they still lead there is not looked at.
const ELSEWHERE: [&str; 3] = ["https://", "http://", "mailto:"];

/// Looks through all pages in the folder `site`; how many there are.
///
/// # Errors
///
/// Every link that leads nowhere and everything that a page would load, with the page it is in.
pub fn check(site: &Path) -> Result<usize> {
    let mut pages: BTreeMap<PathBuf, References> = BTreeMap::new();
    let mut others: Vec<PathBuf> = Vec::new();
    read_folder(site, Path::new(""), &mut pages, &mut others)?;
    let mut faults: Vec<String> = Vec::new();
    for (path, page) in &pages {
        let name = path.display();
        faults.extend(page.loads.iter().map(|load| format!("{name} would load {load}")));
        let dead = page.links.iter().filter(|link| !leads_somewhere(path, link, &pages, &others));
        faults.extend(dead.map(|link| format!("{name} has a dead link to {link}")));
    }
    faults.dedup();
    if !faults.is_empty() {
        bail!("the site in {} is not whole:\n  {}", site.display(), faults.join("\n  "));
    }
    Ok(pages.len())
}

fn read_folder(
    site: &Path,
    folder: &Path,
    pages: &mut BTreeMap<PathBuf, References>,
    others: &mut Vec<PathBuf>,
) -> Result<()> {
    let place = site.join(folder);
    let entries =
        fs::read_dir(&place).with_context(|| format!("could not read {}", place.display()))?;
    for entry in entries {
        let entry = entry.with_context(|| format!("could not read {}", place.display()))?;
        let name = folder.join(entry.file_name());
        if entry.path().is_dir() {
            read_folder(site, &name, pages, others)?;
        } else if name.extension().is_some_and(|extension| extension == "html") {
            let html = fs::read_to_string(entry.path())
                .with_context(|| format!("could not read {}", entry.path().display()))?;
            pages.insert(name, references::read(&html));
        } else {
            others.push(name);
        }
    }
    Ok(())
}

fn leads_somewhere(
    page: &Path,
    link: &str,
    pages: &BTreeMap<PathBuf, References>,
    others: &[PathBuf],
) -> bool {
    if ELSEWHERE.iter().any(|start| link.starts_with(start)) {
        return true;
    }
    let (file, place) = link.split_once('#').unwrap_or((link, ""));
    let folder = page.parent().unwrap_or(Path::new(""));
    let target = match file {
        "" => Some(page.to_owned()),
        file => within(&folder.join(decoded(file))),
    };
    let Some(target) = target else { return false };
    match pages.get(&target) {
        Some(page) => place.is_empty() || page.ids.contains(&decoded(place)),
        None => place.is_empty() && others.contains(&target),
    }
}

/// The path without `.` and `..`; nothing if it leads out of the site.
fn within(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(plain)
}

/// The letters that `%` and two digits stand for.
fn decoded(address: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = address.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code {
            Some(code) if first == b'%' => {
                bytes.push(code);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_pages(pages: &[(&str, &str)]) -> Result<usize, String> {
        let site = std::env::temp_dir().join(format!("book-site-{}", uuid::Uuid::new_v4()));
        for (name, html) in pages {
            let path = site.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            fs::write(path, html).expect("it can be written");
        }
        let result = check(&site).map_err(|error| error.to_string());
        fs::remove_dir_all(&site).expect("it can be removed");
        result
    }

    #[test]
    fn links_within_the_site_are_followed() {
        let one = "<a href='sub/two.html#here%20now'></a><a href=#></a><a href=data.bin></a>";
        let two = "<h2 id='here now'></h2><a href=../one.html></a><a href=https://a.example></a>";
        let pages = [("one.html", one), ("sub/two.html", two), ("data.bin", "")];
        assert_eq!(check_pages(&pages), Ok(2));
    }

    #[test]
    fn every_dead_link_is_named_with_its_page() {
        for dead in ["two.html", "#nowhere", "../one.html", "/one.html", "javascript:x", "sub/"] {
            let page = format!("<p id=here><a href='{dead}'></a>");
            let error = check_pages(&[("one.html", &page)]).expect_err(dead);
            assert!(error.contains(&format!("one.html has a dead link to {dead}")), "{error}");
        }
    }
}
