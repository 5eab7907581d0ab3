package cli

import "github.com/spf13/cobra"

func (a *app) serveCommand() *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the page that looks into files and steps through programs",
		Long: `serve serves the page that is built into the program to browsers of this machine, until
Ctrl-C ends it. The page reads the files that are dropped on it and sends them nowhere:
the engine runs in the browser. The program gives no other file away.

A program without the page says how to build it.

Exit status: 0 an interrupt ended it; 2 bad arguments, an address that is in use, or a
program without the page.`,
		Example: `  picaproof serve
  picaproof serve --listen 127.0.0.1:9000`,
		Args:        noArgs,
		Annotations: map[string]string{formatsAnnotation: "text"},
		RunE: func(*cobra.Command, []string) error {
			return a.serve(listen)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8437",
		"address of this machine and port, 0 for any, e.g. --listen 127.0.0.1:9000")
	return cmd
}
