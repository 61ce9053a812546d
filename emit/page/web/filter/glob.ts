// globFits reports whether the whole text matches a glob: * matches any characters, ? one, and each other character
// itself, in either case. Its time is at most proportional to the product of both lengths.
export function globFits(glob: string, text: string): boolean {
  const g = [...glob.toLowerCase()];
  const t = [...text.toLowerCase()];
  let i = 0;
  let star = -1;
  let resume = 0;
  for (let j = 0; j < t.length; ) {
    if (g[i] === "*") {
      star = i++;
      resume = j;
    } else if (i < g.length && (g[i] === "?" || g[i] === t[j])) {
      i++;
      j++;
    } else if (star >= 0) {
      i = star + 1;
      j = ++resume;
    } else return false;
  }
  while (g[i] === "*") i++;
  return i === g.length;
}

// isGlob reports whether a text has a * or ?.
export function isGlob(text: string): boolean {
  return /[*?]/.test(text);
}
