// Pictures ask JupyterLab's body for the theme; here it is the reader's system that decides.
const dark = matchMedia('screen and (prefers-color-scheme: dark)');
const tellTheme = () => { document.body.dataset.jpThemeLight = String(!dark.matches); };
dark.addEventListener('change', tellTheme);
tellTheme();
// On a narrow page the list of contents is folded; on a wide one it stands at the side.
const wide = matchMedia('(min-width: 960px)');
const fold = () => {
  const list = document.querySelector('.contents > details');
  if (list) list.open = wide.matches;
};
wide.addEventListener('change', fold);
document.addEventListener('DOMContentLoaded', fold);
// A link into a fold opens it.
const unfold = () => {
  let place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const target = place;
  for (; place; place = place.parentElement) {
    if (place instanceof HTMLDetailsElement) place.open = true;
  }
  target?.scrollIntoView();
};
addEventListener('hashchange', unfold);
document.addEventListener('DOMContentLoaded', unfold);
