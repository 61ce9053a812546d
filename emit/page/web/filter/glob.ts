// A glob is text in which * stands for any characters and ? for one; everything else stands for itself, whatever its case.

// globFits tells whether the whole of the text fits the glob. It takes no longer than the product of their lengths, whatever they are.
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

// isGlob tells whether there is a * or ? in the text.
export function isGlob(text: string): boolean {
  return /[*?]/.test(text);
}
