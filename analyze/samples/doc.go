// Package samples sums up what samplers and thread dumps found threads doing, and says which threads compute.
package samples
